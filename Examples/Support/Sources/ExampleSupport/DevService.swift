public import Foundation
import Glibc

/// A `cumulet dev` of its own, and programs of an example on devices that are folders.
///
/// Unchecked: what it stores is set in `init`, and after that nothing but ``stop()`` touches the process.
public final class DevService: @unchecked Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// `$CUMULET`, else what the root package has built.
    public static let executable: URL? = {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        let path = ProcessInfo.processInfo.environment["CUMULET"] ?? root.path + "/.build/debug/cumulet"
        return FileManager.default.isExecutableFile(atPath: path) ? URL(fileURLWithPath: path) : nil
    }()

    private let service = Process()
    private let folder: URL
    /// Where it listens.
    public let address: String

    public init() throws {
        guard let executable = Self.executable else { throw Failure(description: "cumulet is not built") }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = Pipe()
        service.executableURL = executable
        service.arguments = ["dev", "--port", "0"]
        service.standardOutput = output
        service.standardError = FileHandle.nullDevice
        try service.run()
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != 10 { line.append(byte) }
        guard let word = String(decoding: line, as: UTF8.self).split(separator: " ").last else {
            throw Failure(description: "cumulet did not say where it listens")
        }
        address = String(word)
    }

    public func stop() {
        service.terminate()
        service.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    public func signIn(_ device: String, _ email: String) throws {
        guard let executable = Self.executable else { throw Failure(description: "cumulet is not built") }
        _ = try run(executable, ["login", email, "--server", address], on: device)
    }

    /// What a program of the package under test prints on a device.
    public func run(_ program: String, _ words: [String] = [], on device: String) throws -> String {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<4 where !FileManager.default.isExecutableFile(atPath: directory.path + "/" + program) {
            directory.deleteLastPathComponent()
        }
        return try run(directory.appendingPathComponent(program), words, on: device)
    }

    private func run(_ program: URL, _ words: [String], on device: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = words
        process.environment = ["HOME": folder.path, "CUMULET_DEVICE": folder.path + "/" + device]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program.lastPathComponent) \(words.joined(separator: " ")) failed: \(text)")
        }
        return text
    }
}
