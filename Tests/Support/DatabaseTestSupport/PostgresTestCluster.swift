import Foundation
package import PostgresDriver
import ProcessTestSupport
package import SQLCore

/// A PostgreSQL of a test's own, which it may restart and stop. Starting one takes seconds: for tests of what a server's end
/// does; all others take a ``PostgresTestDatabase``.
package struct PostgresTestCluster: Sendable {
    package enum StopMode: String, Sendable {
        case fast
        /// As after a crash: nothing is finished, and the next start replays the log.
        case immediate
    }

    private let folder: URL
    /// The address, with its password.
    package let address: String

    /// Starts a new, empty cluster.
    /// - Parameter settings: PostgreSQL's settings, such as `["max_connections": "20"]`.
    /// - Throws: `SQLError` of kind `other` with what `scripts/postgres` says.
    package init(settings: [String: String] = [:]) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulet-pg-\(UUID().uuidString.prefix(8))")
        _ = try await Self.script(["start", folder.path] + settings.map { "\($0.key)=\($0.value)" })
        address = try await Self.script(["url", folder.path]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func database() throws(SQLError) -> PostgresDatabase { try PostgresDatabase(address) }

    /// Stops the server and starts it again, at the same address with the same data.
    package func restart(_ mode: StopMode) async throws {
        _ = try await Self.script(["restart", folder.path, mode.rawValue])
    }

    /// Stops the server and removes its data.
    package func remove() async throws { _ = try await Self.script(["stop", folder.path]) }

    private static func script(_ arguments: [String]) async throws -> String {
        // Tests/Support/DatabaseTestSupport/<this file>
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let script = try ChildProcess(
            root.appending(path: "scripts/postgres").path, arguments, standardOutput: .pipe, standardError: nil)
        let output = await script.output.rest()
        guard await script.waitUntilExit().isSuccess else { throw SQLError(.other, output) }
        return output
    }
}
