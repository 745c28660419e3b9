import Foundation
import ProcessTestSupport
import Testing

/// The built `cumulet`, run as a process that ends with this value at the latest.
final class CommandProcess: Sendable {
    private let process: ChildProcess
    /// Where standard error goes.
    private let errors: String

    /// `cumulet` beside the test bundle.
    static let executable: URL = {
        let path = CommandLine.arguments.first ?? ""
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        for _ in 0..<4 {
            let candidate = folder.appendingPathComponent("cumulet")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: FileManager.default.currentDirectoryPath + "/.build/debug/cumulet")
    }()

    init(_ words: [String], environment: [String: String] = [:], folder: TemporaryFolder) throws {
        errors = folder.path("log-\(UUID().uuidString)")
        process = try ChildProcess(
            Self.executable.path, words,
            environment: ChildEnvironment(["PATH": "/usr/bin:/bin", "HOME": folder.url.path]).adding(environment),
            standardOutput: .pipe, standardError: .file(errors))
    }

    /// The system's number of the process.
    var id: Int32 { process.id }

    /// The next line of standard output, without its end; what is there when the process ends.
    func line() async -> String { await process.output.line() }

    func send(_ signal: Int32) { process.signal(signal) }

    /// Waits for the end and gives the exit code, or the number of the signal that ended it.
    func end() async -> Int32 {
        switch await process.waitUntilExit() {
        case .exited(let code): return code
        case .signalled(let number): return number
        case .unknown:
            Issue.record("the end of \(Self.executable.path) was lost")
            return -1
        }
    }

    var log: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

    /// The address in the line that a service prints first.
    func address() async throws -> String {
        let line = await line()
        let prefix = "listening on "
        try #require(line.hasPrefix(prefix), "the first line is '\(line)'; the log says \(log)")
        return String(line.dropFirst(prefix.count))
    }

    /// Runs a command to its end.
    static func run(
        _ words: String..., environment: [String: String] = [:], folder: TemporaryFolder
    ) async throws -> (code: Int32, output: String, log: String) {
        try await run(words, environment: environment, folder: folder)
    }

    static func run(
        _ words: [String], environment: [String: String] = [:], folder: TemporaryFolder
    ) async throws -> (code: Int32, output: String, log: String) {
        let command = try CommandProcess(words, environment: environment, folder: folder)
        let output = await command.process.output.rest()
        let code = await command.end()
        return (code, output, command.log)
    }
}

/// A folder that goes away with the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("cumulet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
