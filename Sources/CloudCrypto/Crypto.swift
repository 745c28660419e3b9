import COpenSSL

/// Hashes, authentication codes and random bytes.
package enum Crypto {
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(bytes, bytes.count, &digest)
        return digest
    }

    package static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        var length: UInt32 = 0
        let result = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, &length)
        precondition(result != nil && length == 32, "HMAC-SHA256 is not available")
        return code
    }

    /// Random bytes fit for secrets.
    package static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system has no random bytes")
        return bytes
    }

    /// Whether both are the same, in a time that does not tell where they differ.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
