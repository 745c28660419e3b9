import CloudKit
import FastingCore
import Observation

/// The fasts as the app shows them.
@MainActor
@Observable
final class FastingModel {
    static let shared = FastingModel()

    private(set) var fasts: [Fast] = []
    private(set) var friends: [FastingStore.Friend] = []
    private(set) var isReady = false
    private(set) var isBusy = false
    var problem: String?
    let store = FastingStore()

    var current: Fast? { fasts.first { $0.end == nil } }
    var past: [Fast] { fasts.filter { $0.end != nil } }

    func load() async {
        await perform {
            try await self.store.prepare()
            self.fasts = try await self.store.fasts()
            self.friends = try await self.store.friends()
            self.isReady = true
        }
    }

    func begin(_ goal: Fast.Goal) async {
        await perform {
            _ = try await self.store.begin(goal)
            self.fasts = try await self.store.fasts()
        }
    }

    func end() async {
        await perform {
            _ = try await self.store.end()
            self.fasts = try await self.store.fasts()
        }
    }

    func accept(_ metadata: CKShare.Metadata) async {
        await perform {
            try await CKContainer(identifier: metadata.containerIdentifier).accept(metadata)
            self.friends = try await self.store.friends()
        }
    }

    private func perform(_ work: () async throws -> Void) async {
        isBusy = true
        defer { isBusy = false }
        do {
            try await work()
        } catch {
            problem = Self.words(for: error)
        }
    }

    /// What an error means to the person.
    private static func words(for error: any Error) -> String {
        switch (error as? CKError)?.code {
        case .notAuthenticated: "Nobody is signed in on this device."
        case .networkUnavailable, .networkFailure:
            "The cloud cannot be reached. Nothing is lost: try again when you are online."
        case .permissionFailure: "You may look at this, and not change it."
        case .quotaExceeded: "There is no room left in your cloud."
        default: error.localizedDescription
        }
    }
}
