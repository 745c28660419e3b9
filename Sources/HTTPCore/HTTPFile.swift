import Glibc

/// A part of an open file, sent as the body of an answer without passing through memory.
package final class HTTPFile: Sendable {
    /// Open for reading; closed with the value that took it.
    package let descriptor: Int32
    /// Where the part begins, in bytes.
    package let offset: Int64
    /// Bytes of the part.
    package let count: Int64

    /// What has the descriptor, if it is not this value.
    private let whole: HTTPFile?

    /// Takes the descriptor over.
    package init(taking descriptor: Int32, offset: Int64, count: Int64) {
        self.descriptor = descriptor
        self.offset = offset
        self.count = count
        whole = nil
    }

    private init(part whole: HTTPFile, first: Int64, count: Int64) {
        descriptor = whole.descriptor
        offset = whole.offset + first
        self.count = count
        self.whole = whole
    }

    /// A part of this part; `first` counts from its beginning.
    package func part(first: Int64, count: Int64) -> HTTPFile { HTTPFile(part: self, first: first, count: count) }

    deinit {
        if whole == nil { close(descriptor) }
    }

    /// The part's bytes, for a reader in the same process; `nil` when the file is shorter or cannot be read.
    package func bytes() -> [UInt8]? {
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            while done < buffer.count {
                let place = UnsafeMutableRawPointer(buffer.baseAddress! + done)
                let read = pread(descriptor, place, buffer.count - done, off_t(offset) + off_t(done))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                done += read
            }
            filled = done
        }
        return done == Int(count) ? bytes : nil
    }
}
