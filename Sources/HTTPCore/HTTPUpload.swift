import Glibc
import Synchronization

/// A file that is the body of a request. It must not change while it is sent.
package struct HTTPUpload: Sendable {
    package let path: String
    /// Bytes of the file.
    package let size: Int64
    /// Told now and then how many bytes have been sent, in no particular thread. A request that is sent again begins anew.
    package let progress: @Sendable (Int64) -> Void

    package init(path: String, size: Int64, progress: @escaping @Sendable (Int64) -> Void = { _ in }) {
        self.path = path
        self.size = size
        self.progress = progress
    }
}

/// The body of an upload for a responder in the same process.
package final class FileBody: HTTPBodyStream {
    private static let pieceBytes = 1 << 18

    private let upload: HTTPUpload
    private let descriptor: Int32
    private let sent = Mutex<Int64>(0)

    /// - Throws: ``HTTPBodyError`` when the file cannot be opened.
    package init(_ upload: HTTPUpload) throws(HTTPBodyError) {
        self.upload = upload
        descriptor = open(upload.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HTTPBodyError("\(upload.path): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    package func next() async throws(HTTPBodyError) -> [UInt8]? {
        if Task.isCancelled { throw HTTPBodyError("cancelled") }
        let place = sent.withLock { $0 }
        let wanted = Int(min(Int64(Self.pieceBytes), upload.size - place))
        guard wanted > 0 else { return nil }
        let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, wanted, off_t(place)))
        }
        guard !piece.isEmpty else { throw HTTPBodyError("\(upload.path) is shorter than it was") }
        let now = sent.withLock { sent in
            sent += Int64(piece.count)
            return sent
        }
        upload.progress(now)
        return piece
    }
}
