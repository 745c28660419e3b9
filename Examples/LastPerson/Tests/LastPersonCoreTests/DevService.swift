import Foundation
import Glibc
import Testing

/// A `cumulet dev` of its own, and the `lastperson` of this package on devices that are folders.
///
/// Sendable: everything is set in `init`.
final class DevService: @unchecked Sendable {
    /// `$CUMULET`, else what the root package has built.
    static let executable: URL? = {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["CUMULET"] ?? root.path + "/.build/debug/cumulet"
        return FileManager.default.isExecutableFile(atPath: path) ? URL(fileURLWithPath: path) : nil
    }()

    private let service = Process()
    private let folder: URL
    private let address: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lastperson-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = Pipe()
        service.executableURL = try #require(Self.executable)
        service.arguments = ["dev", "--port", "0"]
        service.standardOutput = output
        service.standardError = FileHandle.nullDevice
        try service.run()
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != 10 { line.append(byte) }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        address = String(try #require(words.last))
    }

    func stop() {
        service.terminate()
        service.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func signIn(_ device: String, _ email: String) throws {
        _ = try run(try #require(Self.executable), ["login", email, "--server", address], on: device)
    }

    /// What `lastperson` prints on a device.
    func lastPerson(_ device: String, _ name: String? = nil) throws -> String {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<4 where !FileManager.default.isExecutableFile(atPath: directory.path + "/lastperson") {
            directory.deleteLastPathComponent()
        }
        return try run(directory.appendingPathComponent("lastperson"), name.map { [$0] } ?? [], on: device)
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
        try #require(process.terminationStatus == 0, "\(program.lastPathComponent) failed: \(text)")
        return text
    }
}
