import Dispatch
import Foundation
import Glibc
import Testing

/// The built `cumulet`, run as a process.
///
/// Sendable: the process is started in `init` and afterwards only asked for its id and its end.
final class CommandProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private let errors: URL
    private let ending = AsyncStream<Int32>.makeStream()

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
        errors = folder.url.appendingPathComponent("log-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.executableURL = Self.executable
        process.arguments = words
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.url.path].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        let ended = ending.continuation
        process.terminationHandler = { process in
            ended.yield(process.terminationStatus)
            ended.finish()
        }
        try process.run()
    }

    /// Runs what blocks on a thread of its own, so that it holds no other test up.
    private func blocking<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { waiter in
            DispatchQueue.global().async { waiter.resume(returning: work()) }
        }
    }

    /// The next line of standard output, without its end; what is there when the process ends.
    func line() async -> String {
        let descriptor = output.fileHandleForReading.fileDescriptor
        return await blocking {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) == 1, byte != 10 { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end and gives the exit code, or the number of the signal that ended it. Asked once.
    func end() async -> Int32 {
        for await status in ending.stream { return status }
        return process.terminationStatus
    }

    var log: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

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
        let command = try CommandProcess(words, environment: environment, folder: folder)
        let reading = command.output.fileHandleForReading
        let data = await command.blocking { reading.readDataToEndOfFile() }
        let code = await command.end()
        return (code, String(decoding: data, as: UTF8.self), command.log)
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
