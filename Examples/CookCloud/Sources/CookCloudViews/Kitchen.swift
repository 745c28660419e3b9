public import CloudKit
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
    /// What went wrong last with something that the person did, in words for them.
    public var problem: String?
    /// How much of a picture is sent, from 0 to 1; `nil` while none is.
    public private(set) var sentPart: Double?
    @ObservationIgnored private var followers = 0
    @ObservationIgnored private var keepingUp: Task<Void, Never>?
    @ObservationIgnored private var following: Task<Void, any Error>?
    @ObservationIgnored private var pause: Task<Void, any Error>?

    public init(store: CookbookStore = CookbookStore()) { self.store = store }

    public var needsAccount: Bool { !store.isSignedIn }

    /// Reads the recipes and keeps up with other devices, until the task is cancelled; once for all windows that ask for it.
    ///
    /// While the cloud cannot be reached it tries again every few seconds, and when the person refreshes.
    public func follow() async {
        followers += 1
        if followers == 1 { keepingUp = Task { await keepUp() } }
        for await _ in AsyncStream<Never>.makeStream().stream {}
        followers -= 1
        if followers == 0 { keepingUp?.cancel() }
    }

    private func keepUp() async {
        while !Task.isCancelled {
            let following = Task { try await store.follow { self.isReady = true } }
            self.following = following
            await Self.end(of: following)
            guard !Task.isCancelled else { return }
            // The shelves say why they could not be read.
            isReady = true
            let pause = Task { try await Task.sleep(for: .seconds(4)) }
            self.pause = pause
            await Self.end(of: pause)
        }
    }

    private static func end(of task: Task<Void, any Error>) async {
        _ = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
    }

    public func refresh() async {
        pause?.cancel()
        do { try await store.load() } catch {
            // What cannot be read is said where it would stand, and tried again from the beginning.
            following?.cancel()
        }
    }

    /// - Returns: Whether it was saved; if not, ``problem`` says why.
    public func save(_ recipe: Recipe, on shelf: Shelf, photo: PhotoChange = .keep) async -> Bool {
        let (parts, part) = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
        let telling = Task { for await part in parts { sentPart = part } }
        let isSaved = await perform {
            try await self.store.save(recipe, on: shelf, photo: photo) { sent in part.yield(sent) }
        }
        part.finish()
        await telling.value
        sentPart = nil
        return isSaved
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
        do {
            try await work()
            return true
        } catch {
            problem = Self.words(for: error)
            return false
        }
    }

    /// Why a shelf cannot be read, if it cannot.
    public func problem(on shelf: Shelf) -> String? { store.problems[shelf].map(Self.words) }

    /// What an error means to the person, and what they can do.
    public nonisolated static func words(for error: any Error) -> String {
        guard let error = error as? CKError else { return error.localizedDescription }
        switch error.code {
        case .notAuthenticated:
            return "Nobody is signed in on this device. Sign in, then try again."
        case .networkUnavailable, .networkFailure:
            return "The cloud cannot be reached. What you see is what this device knew last."
        case .serviceUnavailable, .requestRateLimited, .zoneBusy:
            return "The cloud is busy. Try again in a moment."
        case .quotaExceeded:
            return "There is no room left in your cloud. Delete something, then save again."
        case .permissionFailure:
            return "This recipe is somebody else's, and you may not change it."
        case .assetFileNotFound, .assetNotAvailable, .assetFileModified:
            return "The picture cannot be read. Choose it again."
        case .limitExceeded:
            return "This is more than the cloud takes at once. Choose a smaller picture, or write less."
        case .invalidArguments where error.localizedDescription.contains("not marked"):
            return "The cloud lacks an index that this list needs, which only the app's maker can add. "
                + "Tell them: \(error.localizedDescription)"
        default:
            return error.localizedDescription
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
