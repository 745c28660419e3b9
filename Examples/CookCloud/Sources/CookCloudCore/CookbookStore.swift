import CloudKit
import Observation

/// The recipes as a user interface shows them; follows the account's other devices.
@MainActor
@Observable
public final class CookbookStore {
    public private(set) var own: [Recipe] = []
    public private(set) var community: [Recipe] = []
    private let cookbook: Cookbook

    public init(cookbook: Cookbook = Cookbook()) {
        self.cookbook = cookbook
    }

    /// Reads what is there now.
    public func load() async throws {
        _ = try await refreshOwn()
        _ = try await refreshCommunity()
    }

    /// One thing that happened to a recipe somewhere else.
    public enum Event: Sendable {
        case added(Recipe, Shelf)
        case edited(Recipe, Shelf)
        case deleted(Recipe, Shelf)
    }

    /// Subscribes, then keeps the recipes up to date until the task is cancelled.
    ///
    /// A notification only says that something changed; what changed comes from the change token and the query.
    public func follow(
        ready: @MainActor () -> Void = {}, onEvent: @MainActor (Event) -> Void = { _ in }
    ) async throws {
        try await cookbook.subscribe()
        let notifications = CloudDevice.current.notifications()
        try await load()
        ready()
        for await notification in notifications {
            let events: [Event]
            switch notification.subscriptionID {
            case "own-recipes": events = try await refreshOwn()
            case "community-recipes": events = try await refreshCommunity()
            default: events = []
            }
            events.forEach(onEvent)
        }
    }

    public func save(_ recipe: Recipe, on shelf: Shelf) async throws {
        try await cookbook.save(recipe, on: shelf)
        try await refresh(shelf)
    }

    public func delete(_ id: Recipe.ID, on shelf: Shelf) async throws {
        try await cookbook.delete(id, on: shelf)
        try await refresh(shelf)
    }

    /// The recipes of a shelf, read anew.
    public func recipes(on shelf: Shelf) async throws -> [Recipe] {
        try await refresh(shelf)
        return shelf == .own ? own : community
    }

    private func refresh(_ shelf: Shelf) async throws {
        switch shelf {
        case .own: _ = try await refreshOwn()
        case .community: _ = try await refreshCommunity()
        }
    }

    private func refreshOwn() async throws -> [Event] {
        let changes = try await cookbook.changes()
        var recipes = Dictionary(uniqueKeysWithValues: own.map { ($0.id, $0) })
        for recipe in changes.saved { recipes[recipe.id] = recipe }
        for id in changes.deleted { recipes[id] = nil }
        defer { own = Self.sorted(recipes.values) }
        return Self.events(from: own, to: Self.sorted(recipes.values), on: .own)
    }

    private func refreshCommunity() async throws -> [Event] {
        let recipes = Self.sorted(try await cookbook.recipes(on: .community))
        defer { community = recipes }
        return Self.events(from: community, to: recipes, on: .community)
    }

    private static func sorted(_ recipes: some Sequence<Recipe>) -> [Recipe] {
        recipes.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
    }

    private static func events(from old: [Recipe], to new: [Recipe], on shelf: Shelf) -> [Event] {
        let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
        let after = Set(new.map(\.id))
        let changed = new.compactMap { recipe -> Event? in
            guard let known = before[recipe.id] else { return .added(recipe, shelf) }
            return known == recipe ? nil : .edited(recipe, shelf)
        }
        return changed + old.filter { !after.contains($0.id) }.map { .deleted($0, shelf) }
    }
}
