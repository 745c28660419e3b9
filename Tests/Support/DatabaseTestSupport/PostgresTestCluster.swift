import Foundation
package import PostgresDriver
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
    package init(settings: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "cumulet-pg-\(UUID().uuidString.prefix(8))")
        _ = try Self.script(["start", folder.path] + settings.map { "\($0.key)=\($0.value)" })
        address = try Self.script(["url", folder.path]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func database() throws(SQLError) -> PostgresDatabase { try PostgresDatabase(address) }

    /// Stops the server and starts it again, at the same address with the same data.
    package func restart(_ mode: StopMode) throws { _ = try Self.script(["restart", folder.path, mode.rawValue]) }

    /// Stops the server and removes its data.
    package func remove() throws { _ = try Self.script(["stop", folder.path]) }

    private static func script(_ arguments: [String]) throws -> String {
        // Tests/Support/DatabaseTestSupport/<this file>
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let process = Process()
        process.executableURL = root.appending(path: "scripts/postgres")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw SQLError(.other, output) }
        return output
    }
}
