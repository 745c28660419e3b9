import CloudKit
import CookCloudCore
import Glibc

/// The recipes in a terminal.
@main
@MainActor
struct Main {
    static let usage = """
        usage: cookcloud list    [--community | --shared]
               cookcloud add     TITLE [CONTENT] [--community]
               cookcloud edit    TITLE [--title NEW] [CONTENT] [--community | --shared]
               cookcloud delete  TITLE [--community | --shared]
               cookcloud photo   TITLE [--community | --shared]    prints where the picture lies on this device
               cookcloud share   TITLE    prints the address by which others may edit it
               cookcloud unshare TITLE
               cookcloud accept  URL
               cookcloud watch
        CONTENT: [--minutes N] [--ingredients A,B,C] [--notes TEXT] [--photo FILE]
        """

    let call: Call
    let store = CookbookStore()
    var shelf: Shelf { call.shelf }

    static func main() async {
        do {
            guard let call = Call(Array(CommandLine.arguments.dropFirst())) else {
                fail(usage, code: 64)
            }
            try await Main(call: call).run()
        } catch let error as CKError {
            fail("cookcloud: \(error.localizedDescription)", code: 1)
        } catch {
            fail("cookcloud: \(error)", code: 1)
        }
    }

    static func fail(_ text: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(code)
    }

    /// At once, also into a file: a watcher's lines must not wait in a buffer.
    private func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    func run() async throws {
        switch call.verb {
        case .list:
            let recipes = try await store.recipes(on: shelf)
            for recipe in recipes { print(line(recipe)) }
            if recipes.isEmpty { print("no recipes") }
        case .add:
            let recipe = call.applied(to: Recipe(title: call.title))
            try await store.save(recipe, on: shelf, photo: call.photo.map(PhotoChange.set) ?? .keep)
            print("added \(line(recipe))")
        case .edit:
            let recipe = call.applied(to: try await find())
            try await store.save(recipe, on: shelf, photo: call.photo.map(PhotoChange.set) ?? .keep)
            print("edited \(line(recipe))")
        case .delete:
            let recipe = try await find()
            try await store.delete(recipe, on: shelf)
            print("deleted \(recipe.title)")
        case .photo:
            guard let photo = try await find().photo else {
                Self.fail("cookcloud: '\(call.title)' has no picture", code: 1)
            }
            print(photo.path)
        case .share: print(try await store.cookbook.share(try await find()).absoluteString)
        case .unshare: try await store.cookbook.unshare(try await find())
        case .accept:
            guard let url = URL(string: call.title) else { Self.fail(Self.usage, code: 64) }
            try await store.cookbook.accept(url)
        case .watch:
            try await store.follow(ready: { print("watching") }, onEvent: tell)
        }
    }

    private func tell(_ event: CookbookStore.Event) {
        switch event {
        case .added(let recipe, let shelf): print("added on the \(shelf) shelf: \(line(recipe))")
        case .edited(let recipe, let shelf): print("edited on the \(shelf) shelf: \(line(recipe))")
        case .deleted(let recipe, let shelf): print("deleted on the \(shelf) shelf: \(recipe.title)")
        case .accountChanged: print("the account changed: \(store.own.count) recipes of one's own")
        }
    }

    private func find() async throws -> Recipe {
        guard let recipe = try await store.recipes(on: shelf).first(where: { $0.title == call.title }) else {
            Self.fail("cookcloud: there is no recipe '\(call.title)' on the \(shelf) shelf", code: 1)
        }
        return recipe
    }

    private func line(_ recipe: Recipe) -> String {
        var text = "\(recipe.title), \(recipe.minutes) min"
        if !recipe.ingredients.isEmpty { text += ": " + recipe.ingredients.joined(separator: ", ") }
        if !recipe.notes.isEmpty { text += " (\(recipe.notes))" }
        if recipe.photo != nil { text += ", with a picture" }
        return text
    }
}
