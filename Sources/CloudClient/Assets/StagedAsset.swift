import CloudCore
import CloudCrypto
import Dispatch
package import Foundation
import Glibc
import Synchronization

/// Why a file cannot be taken or kept.
package struct AssetFault: Error, Sendable, CustomStringConvertible {
    package enum Problem: Sendable {
        case missing
        case unreadable
        /// Somebody wrote to it while it was read.
        case modified
        /// The device's own folder does not take it.
        case unwritable
    }

    package let problem: Problem
    package let path: String
    package let description: String

    init(_ problem: Problem, path: String, _ reason: String) {
        self.problem = problem
        self.path = path
        description = "\(path): \(reason)"
    }

    init(_ problem: Problem, path: String, code: Int32) {
        self.init(problem, path: path, String(cString: strerror(code)))
    }
}

/// A copy of an asset's content in the device's folder, until it is discarded or a cache takes it over.
///
/// Whoever made it discards it before telling the outcome: a request that was given up may hold this object for a while.
package final class StagedAsset: Sendable {
    package let path: String
    package let size: Int64
    /// As the protocol has it: base64 of the byte 1 and the SHA-1.
    package let fileChecksum: String

    init(path: String, size: Int64, fileChecksum: String) {
        self.path = path
        self.size = size
        self.fileChecksum = fileChecksum
    }

    deinit { discard() }

    package func discard() { unlink(path) }
}

/// Takes in the bytes of an asset piece by piece.
///
/// Unchecked: owned by one task, which waits for each call before the next.
final class AssetIntake: @unchecked Sendable {
    private let path: String
    private let descriptor: Int32
    private let digest = ContentDigest()
    private var size: Int64 = 0
    private var isFinished = false

    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AssetFault(.unwritable, path: path, code: errno) }
    }

    deinit {
        close(descriptor)
        if !isFinished { discard() }
    }

    /// Removes the file, also when it is finished, unless a cache took it over.
    func discard() { unlink(path) }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        digest.update(bytes)
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw AssetFault(.unwritable, path: path, code: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        size += Int64(bytes.count)
    }

    func finish() -> StagedAsset {
        isFinished = true
        return StagedAsset(path: path, size: size, fileChecksum: FileReading.checksum(of: digest))
    }
}

/// Reads a file from beginning to end.
package struct FileReading {
    private static let pieceBytes = 1 << 20

    package let path: String

    package init(path: String) { self.path = path }

    /// Base64 of the byte 1 and the SHA-1 of the content.
    func checksum() throws -> String {
        let digest = ContentDigest()
        _ = try read { digest.update($0) }
        return Self.checksum(of: digest)
    }

    static func checksum(of digest: ContentDigest) -> String { Base64.encode([1] + digest.finish().sha1) }

    /// Hands the content to `take` in pieces.
    /// - Parameter isCancelled: Asked before each piece.
    /// - Throws: ``AssetFault`` when the file is not there, cannot be read, or changed meanwhile; `CancellationError`.
    package func read(isCancelled: () -> Bool = { false }, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            throw AssetFault(code == ENOENT || code == ENOTDIR ? .missing : .unreadable, path: path, code: code)
        }
        defer { close(descriptor) }
        guard let before = FileInfo(descriptor: descriptor) else {
            throw AssetFault(.unreadable, path: path, code: errno)
        }
        guard before.isRegular else { throw AssetFault(.unreadable, path: path, "not a file") }
        var done: Int64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            if isCancelled() { throw CancellationError() }
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw AssetFault(.unreadable, path: path, code: errno) }
            if count == 0 { break }
            done += Int64(count)
            // One that grows as fast as it is read would have no end.
            guard done <= before.size else { break }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard let after = FileInfo(descriptor: descriptor), after.modified == before.modified,
            after.size == before.size, done == before.size
        else { throw AssetFault(.modified, path: path, "the file changed while it was read") }
    }
}

extension AssetCache {
    /// Copies a file of the app's, so that what is sent is one state of it.
    /// - Throws: ``AssetFault``; `CancellationError`.
    package func stage(_ file: URL) async throws -> StagedAsset {
        guard file.isFileURL else { throw AssetFault(.missing, path: file.absoluteString, "not the URL of a file") }
        let isCancelled = Flag()
        return try await withTaskCancellationHandler {
            try await blocking { [self] in
                let reading = FileReading(path: file.path)
                guard FileInfo(path: file.path) != nil || errno != ENOENT else {
                    throw AssetFault(.missing, path: file.path, code: ENOENT)
                }
                let intake = try intake()
                try reading.read(isCancelled: { isCancelled.isSet }) { try intake.append($0) }
                return intake.finish()
            }
        } onCancel: {
            isCancelled.set()
        }
    }
}

/// Runs what blocks on a thread of its own.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { waiter in
        DispatchQueue.global(qos: .userInitiated).async { waiter.resume(with: Result { try body() }) }
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
