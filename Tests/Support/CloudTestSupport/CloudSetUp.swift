package import CloudCore
package import CloudServer

/// How a test reaches its service and where that keeps its data. What holds in one set-up must hold in all.
package struct CloudSetUp: Sendable, CustomStringConvertible {
    package enum Way: String, Sendable, CaseIterable {
        /// Calls the service without sockets.
        case inProcess = "in process"
        /// Speaks HTTP to the real server on a free port of this machine.
        case loopback = "over loopback"
    }

    package let way: Way
    package let storage: TestStorage

    package init(way: Way, storage: TestStorage) {
        self.way = way
        self.storage = storage
    }

    package var description: String { "\(way.rawValue), \(storage)" }

    /// Every way with every storage of this run.
    package static let all: [CloudSetUp] = Way.allCases.flatMap { way in
        TestStorage.available.map { CloudSetUp(way: way, storage: $0) }
    }

    /// Every way and every storage, but PostgreSQL without sockets only: for rules where the ways do not differ by what
    /// lies behind the service.
    package static let available: [CloudSetUp] = all.filter { $0.way == .inProcess || !$0.storage.isDistant }

    /// Each way once, with the quickest storage: for rules that no storage can bend.
    package static let ways: [CloudSetUp] = Way.allCases.map { CloudSetUp(way: $0, storage: .memory) }

    /// Runs `body` with an empty cloud, which is closed and removed when `body` returns or throws.
    /// - Parameter prepare: Changes the configuration before the service starts.
    package func withCloud<R>(
        limits: CloudLimits = CloudLimits(), clock: ManualClock = ManualClock(),
        prepare: (inout ServiceConfiguration) -> Void = { _ in }, _ body: (TestCloud) async throws -> R
    ) async throws -> R {
        let cloud = try TestCloud(on: self, limits: limits, clock: clock, prepare: prepare)
        let result: R
        do {
            result = try await body(cloud)
        } catch {
            await cloud.close()
            throw error
        }
        await cloud.close()
        return result
    }
}
