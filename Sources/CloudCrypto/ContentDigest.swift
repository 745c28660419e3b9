import COpenSSL

/// SHA-1 and SHA-256 of content that comes in pieces.
package final class ContentDigest {
    private let short: OpaquePointer
    private let long: OpaquePointer

    package init() {
        guard let short = EVP_MD_CTX_new(), let long = EVP_MD_CTX_new(),
            EVP_DigestInit_ex(short, EVP_sha1(), nil) == 1, EVP_DigestInit_ex(long, EVP_sha256(), nil) == 1
        else { preconditionFailure("SHA-1 and SHA-256 are not available") }
        (self.short, self.long) = (short, long)
    }

    deinit {
        EVP_MD_CTX_free(short)
        EVP_MD_CTX_free(long)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
        let isTaken =
            EVP_DigestUpdate(short, bytes.baseAddress, bytes.count) == 1
            && EVP_DigestUpdate(long, bytes.baseAddress, bytes.count) == 1
        precondition(isTaken, "libcrypto does not hash")
    }

    /// The hashes of all that came. Called once, at the end.
    package func finish() -> (sha1: [UInt8], sha256: [UInt8]) {
        func result(_ context: OpaquePointer, _ length: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: length)
            precondition(EVP_DigestFinal_ex(context, &bytes, nil) == 1, "libcrypto does not hash")
            return bytes
        }
        return (result(short, 20), result(long, 32))
    }
}
