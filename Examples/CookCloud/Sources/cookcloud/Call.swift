import CookCloudCore

/// What was asked for on the command line.
struct Call {
    enum Verb: String {
        case list, add, edit, delete, watch
        var needsTitle: Bool { self == .add || self == .edit || self == .delete }
    }

    let verb: Verb
    private(set) var title = ""
    private(set) var isCommunity = false
    private var newTitle: String?
    private var minutes: Int?
    private var ingredients: [String]?
    private var notes: String?

    /// `nil` when the words make no sense.
    init?(_ words: [String]) {
        var rest = words[...]
        guard let verb = rest.popFirst().flatMap(Verb.init(rawValue:)) else { return nil }
        self.verb = verb
        if verb.needsTitle {
            guard let title = rest.popFirst(), !title.isEmpty, !title.hasPrefix("--") else { return nil }
            self.title = title
        }
        while let word = rest.popFirst() {
            if word == "--community", verb != .watch {
                isCommunity = true
                continue
            }
            guard verb == .add || verb == .edit, let value = rest.popFirst() else { return nil }
            switch word {
            case "--title" where verb == .edit: newTitle = value
            case "--minutes":
                guard let number = Int(value), number >= 0 else { return nil }
                minutes = number
            case "--ingredients": ingredients = value.split(separator: ",").map(String.init)
            case "--notes": notes = value
            default: return nil
            }
        }
    }

    /// The recipe with the values that were given.
    func applied(to recipe: Recipe) -> Recipe {
        var recipe = recipe
        if let newTitle { recipe.title = newTitle }
        if let minutes { recipe.minutes = minutes }
        if let ingredients { recipe.ingredients = ingredients }
        if let notes { recipe.notes = notes }
        return recipe
    }
}
