import COpenSSL

extension Crypto {
    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// The bytes as only the holder of the key can read them, and nobody can change them unseen: AES-256-GCM with its nonce
    /// in front and the tag at the end. The nonce is made of key and bytes, so that the same give the same.
    /// - Parameter key: 32 bytes.
    package static func encrypt(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let nonce = Array(hmacSHA256(key: key, bytes).prefix(nonceBytes))
        var sealed = [UInt8](repeating: 0, count: bytes.count + tagBytes)
        let isDone = withCipher { context in
            var length: Int32 = 0
            return EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
                && EVP_EncryptUpdate(context, &sealed, &length, bytes, Int32(bytes.count)) == 1
                && sealed.withUnsafeMutableBufferPointer { buffer in
                    EVP_EncryptFinal_ex(context, buffer.baseAddress.map { $0 + bytes.count }, &length) == 1
                        && EVP_CIPHER_CTX_ctrl(
                            context, EVP_CTRL_GCM_GET_TAG, Int32(tagBytes), buffer.baseAddress.map { $0 + bytes.count })
                            == 1
                }
        }
        precondition(key.count == 32 && isDone, "AES-256-GCM is not available")
        return nonce + sealed
    }

    /// What ``encrypt(_:key:)`` was given, or `nil` for bytes that it did not make with this key.
    package static func decrypt(_ sealed: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard key.count == 32, sealed.count >= nonceBytes + tagBytes else { return nil }
        let nonce = Array(sealed.prefix(nonceBytes))
        let hidden = Array(sealed.dropFirst(nonceBytes).dropLast(tagBytes))
        var tag = Array(sealed.suffix(tagBytes))
        var bytes = [UInt8](repeating: 0, count: hidden.count + 1)  // one more: there is always an address
        let isDone = withCipher { context in
            var length: Int32 = 0
            return EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
                && EVP_DecryptUpdate(context, &bytes, &length, hidden, Int32(hidden.count)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagBytes), &tag) == 1
                && bytes.withUnsafeMutableBufferPointer {
                    EVP_DecryptFinal_ex(context, $0.baseAddress.map { $0 + hidden.count }, &length) == 1
                }
        }
        return isDone ? Array(bytes.dropLast()) : nil
    }

    private static func withCipher(_ body: (OpaquePointer) -> Bool) -> Bool {
        guard let context = EVP_CIPHER_CTX_new() else { return false }
        defer { EVP_CIPHER_CTX_free(context) }
        return body(context)
    }
}
