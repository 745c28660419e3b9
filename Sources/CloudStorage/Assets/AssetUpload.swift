import CloudCore
import CloudCrypto
import Glibc

/// A file that comes in: written piece by piece, hashed on the way, then put in its place or thrown away.
///
/// Unchecked: owned by the one task that receives the upload, which waits for each call before the next.
package final class AssetUpload: @unchecked Sendable {
    private let folder: AssetFolder
    private let path: String
    private var descriptor: Int32
    private let digest = ContentDigest()
    /// Bytes so far.
    package private(set) var size: Int64 = 0
    /// Bytes that the system has been told to write out.
    private var flushed: Int64 = 0

    /// So that not everything is left for the end.
    private static let flushEvery: Int64 = 1_048_576

    init(in folder: AssetFolder, path: String) throws {
        self.folder = folder
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot make a file for an upload") }
    }

    deinit { discard() }

    /// Appends bytes.
    /// - Throws: `tryAgainLater` when the disk is full; ``AssetFileError``.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("cannot write an upload") }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        digest.update(bytes)
        size += Int64(bytes.count)
        if size - flushed >= Self.flushEvery {
            // A hint: what it does not do, the end does.
            posix_fadvise(descriptor, off_t(flushed), off_t(size - flushed), POSIX_FADV_DONTNEED)
            flushed = size
        }
    }

    /// Makes the file durable and puts it in its place.
    /// - Returns: What it is. Nobody refers to it yet: see `CloudTransaction.claimAsset`.
    package func finish() throws -> AssetFile {
        guard fsync(descriptor) == 0 else { throw Self.failure("cannot write an upload to disk") }
        let (sha1, sha256) = digest.finish()
        let name = AssetFileName(of: sha256)
        try folder.place(path, as: name)
        close(descriptor)
        descriptor = -1
        return AssetFile(name: name, fileChecksum: Base64Text.encode([1] + sha1), size: size)
    }

    /// Throws the file away unless it is in its place.
    package func discard() {
        guard descriptor >= 0 else { return }
        unlink(path)
        close(descriptor)
        descriptor = -1
    }

    private static func failure(_ what: String) -> any Error {
        guard errno == ENOSPC || errno == EDQUOT else { return AssetFileError(what) }
        return CloudError(.tryAgainLater, "the service's disk is full", nativeCode: 6, retryAfter: 60)
    }
}

/// A whole file in its place.
package struct AssetFile: Hashable, Sendable {
    package let name: AssetFileName
    package let fileChecksum: String
    /// Bytes.
    package let size: Int64

    /// What stands for the content in an entity tag.
    package var tag: String { Hex.encode(name.content) }
}
