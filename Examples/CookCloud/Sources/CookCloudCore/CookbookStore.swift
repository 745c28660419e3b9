import CloudKit
import Observation

/// The recipes as a user interface shows them; follows the account's other devices.
@MainActor
@Observable
public final class CookbookStore {
    public private(set) var own: [Recipe] = []
    public private(set) var community: [Recipe] = []
    public private(set) var shared: [Recipe] = []
    /// Why a shelf could not be read when it was last tried.
    public private(set) var problems: [Shelf: any Error] = [:]
    public private(set) var isSignedIn = true
    public let cookbook: Cookbook

    public init(cookbook: Cookbook = Cookbook()) {
        self.cookbook = cookbook
    }

    /// Reads what is there now, every shelf that can be read.
    /// - Throws: Why the first shelf that cannot be read cannot.
    public func load() async throws {
        var failure: (any Error)?
        for shelf in isSignedIn ? Shelf.allCases : [.community] {
            do { _ = try await refresh(shelf) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// One thing that happened somewhere else.
    public enum Event: Sendable {
        case added(Recipe, Shelf)
        case edited(Recipe, Shelf)
        case deleted(Recipe, Shelf)
        /// Somebody signed in or out: what was here is gone.
        case accountChanged
    }

    /// Shows what this device knew last, subscribes, then keeps the recipes up to date until the task is cancelled. Without an
    /// account it reads the community's and waits for one.
    ///
    /// A notification only says that something changed; what changed comes from the change token and the query.
    public func follow(
        ready: @MainActor () -> Void = {}, onEvent: @MainActor (Event) -> Void = { _ in }
    ) async throws {
        let (signals, signal) = AsyncStream.makeStream(of: Signal.self)
        let observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) {
            _ in signal.yield(.account)
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let notifications = CloudDevice.current.notifications()
        let forwarding = Task {
            for await notification in notifications { signal.yield(.push(notification.subscriptionID)) }
        }
        defer { forwarding.cancel() }
        try await begin()
        ready()
        for await next in signals {
            switch next {
            case .push("own-recipes"): try await refresh(.own).forEach(onEvent)
            case .push("community-recipes"): try await refresh(.community).forEach(onEvent)
            case .push("shared-recipes"): try await refresh(.shared).forEach(onEvent)
            case .account where try await cookbook.isOfAnotherAccount():
                try await startAnew()
                onEvent(.accountChanged)
            case .push, .account: break
            }
        }
    }

    private enum Signal: Sendable {
        case push(CKSubscription.ID?)
        case account
    }

    /// Forgets the last account's recipes and begins with those of the one that is signed in now, if any is.
    public func startAnew() async throws {
        own = []
        community = []
        shared = []
        problems = [:]
        try await cookbook.startAnew()
        try await begin()
    }

    private func begin() async throws {
        isSignedIn = try await cookbook.container.accountStatus() == .available
        if isSignedIn {
            for shelf in Shelf.allCases where self[shelf].isEmpty {
                self[shelf] = Self.sorted(try await cookbook.knownRecipes(on: shelf))
            }
        }
        // The shelves say what is wrong with them, whatever else is.
        var failure: (any Error)?
        do { if isSignedIn { try await cookbook.subscribe() } } catch { failure = error }
        try await load()
        if let failure { throw failure }
    }

    public func save(
        _ recipe: Recipe, on shelf: Shelf, photo: PhotoChange = .keep,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws {
        try await cookbook.save(recipe, on: shelf, photo: photo, progress: progress)
        _ = try await refresh(shelf)
    }

    public func delete(_ recipe: Recipe, on shelf: Shelf) async throws {
        try await cookbook.delete(recipe, on: shelf)
        _ = try await refresh(shelf)
    }

    /// The recipes of a shelf, read anew.
    public func recipes(on shelf: Shelf) async throws -> [Recipe] {
        _ = try await refresh(shelf)
        return self[shelf]
    }

    private subscript(shelf: Shelf) -> [Recipe] {
        get {
            switch shelf {
            case .own: own
            case .community: community
            case .shared: shared
            }
        }
        set {
            switch shelf {
            case .own: own = newValue
            case .community: community = newValue
            case .shared: shared = newValue
            }
        }
    }

    private func refresh(_ shelf: Shelf) async throws -> [Event] {
        do {
            let recipes = Self.sorted(try await cookbook.recipes(on: shelf))
            if problems[shelf] != nil { problems[shelf] = nil }
            defer { if self[shelf] != recipes { self[shelf] = recipes } }
            return Self.events(from: self[shelf], to: recipes, on: shelf)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            problems[shelf] = error
            throw error
        }
    }

    private static func sorted(_ recipes: [Recipe]) -> [Recipe] {
        recipes.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }

    private static func events(from old: [Recipe], to new: [Recipe], on shelf: Shelf) -> [Event] {
        let before = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
        let after = Set(new.map(\.id))
        let changed = new.compactMap { recipe -> Event? in
            guard let known = before[recipe.id] else { return .added(recipe, shelf) }
            var same = known
            same.photo = recipe.photo
            // A picture of the community lies elsewhere each time; one of a zone moves only when it is another.
            return (shelf == .community ? same : known) == recipe ? nil : .edited(recipe, shelf)
        }
        return changed + old.filter { !after.contains($0.id) }.map { .deleted($0, shelf) }
    }
}
