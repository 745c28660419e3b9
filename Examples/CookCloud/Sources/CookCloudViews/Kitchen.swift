import CloudKit
public import CookCloudCore
import Observation

/// What the app's views share: the recipes, what is being done to them, and what went wrong.
@MainActor
@Observable
public final class Kitchen {
    public static let shared = Kitchen()

    public let store: CookbookStore
    /// Whether the recipes have been read once.
    public private(set) var isReady = false
    /// What went wrong last, in words for the person who uses the app.
    public var problem: String?
    public private(set) var needsAccount = false
    /// How many things are on their way to the cloud.
    public private(set) var working = 0
    private var isFollowing = false

    public init(store: CookbookStore = CookbookStore()) { self.store = store }

    /// Reads the recipes and keeps up with other devices, until the task is cancelled. With several windows the first does it.
    public func follow() async {
        guard !isFollowing else { return }
        isFollowing = true
        defer { isFollowing = false }
        do {
            try await store.follow {
                self.isReady = true
                self.needsAccount = false
            } onEvent: { event in
                if case .accountChanged = event { self.needsAccount = false }
            }
        } catch is CancellationError {
        } catch let error as CKError where error.code == .operationCancelled {
        } catch {
            explain(error)
        }
    }

    public func refresh() async {
        await perform {
            try await self.store.load()
            self.isReady = true
        }
    }

    public func save(_ recipe: Recipe, on shelf: Shelf) async -> Bool {
        await perform { try await self.store.save(recipe, on: shelf) }
    }

    public func delete(_ recipe: Recipe, on shelf: Shelf) async {
        await perform { try await self.store.delete(recipe, on: shelf) }
    }

    public func accept(_ metadata: CKShare.Metadata) async {
        await perform {
            try await self.store.cookbook.userDidAcceptCloudKitShare(with: metadata)
            try await self.store.load()
        }
    }

    @discardableResult
    private func perform(_ work: () async throws -> Void) async -> Bool {
        working += 1
        defer { working -= 1 }
        do {
            try await work()
            return true
        } catch {
            explain(error)
            return false
        }
    }

    private func explain(_ error: any Error) {
        guard let error = error as? CKError else {
            problem = error.localizedDescription
            return
        }
        switch error.code {
        case .notAuthenticated:
            needsAccount = true
        case .networkUnavailable, .networkFailure:
            problem = "The cloud cannot be reached. What you see is what this device knew last."
        case .quotaExceeded:
            problem = "There is no room left in your cloud. Delete something, then save again."
        case .permissionFailure:
            problem = "This recipe is somebody else's, and you may not change it."
        default:
            problem = error.localizedDescription
        }
    }

    public func recipes(on shelf: Shelf) -> [Recipe] {
        switch shelf {
        case .own: store.own
        case .community: store.community
        case .shared: store.shared
        }
    }
}
