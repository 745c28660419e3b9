import CookCloudCore
import Foundation

/// What was asked for on the command line.
struct Call {
    enum Verb: String {
        case list, add, edit, delete, watch, photo, share, unshare, accept
        /// A recipe's title, or the address of a shared one.
        var needsTitle: Bool { self != .list && self != .watch }
    }

    let verb: Verb
    private(set) var title = ""
    private(set) var shelf = Shelf.own
    private(set) var photo: URL?
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
            if word == "--community" || word == "--shared", [.list, .add, .edit, .delete, .photo].contains(verb) {
                shelf = word == "--shared" ? .shared : .community
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
            case "--photo": photo = URL(fileURLWithPath: value)
            default: return nil
            }
        }
        if verb == .add, shelf == .shared { return nil }
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
