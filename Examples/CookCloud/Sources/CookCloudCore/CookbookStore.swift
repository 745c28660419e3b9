import CloudKit
import Observation

/// The recipes as a user interface shows them; follows the account's other devices.
@MainActor
@Observable
public final class CookbookStore {
    public private(set) var own: [Recipe] = []
    public private(set) var community: [Recipe] = []
    public private(set) var shared: [Recipe] = []
    public let cookbook: Cookbook

    public init(cookbook: Cookbook = Cookbook()) {
        self.cookbook = cookbook
    }

    /// Reads what is there now.
    public func load() async throws {
        for shelf in Shelf.allCases { _ = try await refresh(shelf) }
    }

    /// One thing that happened somewhere else.
    public enum Event: Sendable {
        case added(Recipe, Shelf)
        case edited(Recipe, Shelf)
        case deleted(Recipe, Shelf)
        /// Somebody signed in or out: what was here is gone.
        case accountChanged
    }

    /// Subscribes, then keeps the recipes up to date until the task is cancelled.
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
        try await cookbook.subscribe()
        let notifications = CloudDevice.current.notifications()
        let forwarding = Task {
            for await notification in notifications { signal.yield(.push(notification.subscriptionID)) }
        }
        defer { forwarding.cancel() }
        try await load()
        ready()
        for await next in signals {
            switch next {
            case .push("own-recipes"): try await refresh(.own).forEach(onEvent)
            case .push("community-recipes"): try await refresh(.community).forEach(onEvent)
            case .push("shared-recipes"): try await refresh(.shared).forEach(onEvent)
            case .push: break
            case .account:
                try await startAnew()
                onEvent(.accountChanged)
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
        try await cookbook.startAnew()
        guard try await cookbook.container.accountStatus() == .available else { return }
        try await cookbook.subscribe()
        try await load()
    }

    public func save(_ recipe: Recipe, on shelf: Shelf, photo: URL? = nil) async throws {
        try await cookbook.save(recipe, on: shelf, photo: photo)
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
        let recipes = try await cookbook.recipes(on: shelf).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        defer { self[shelf] = recipes }
        return Self.events(from: self[shelf], to: recipes, on: shelf)
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
