import COpenSSL

/// The public half of an elliptic curve key on P-256: verifies signatures by ECDSA with SHA-256.
package struct P256PublicKey: Hashable, Sendable {
    /// The DER form of its `SubjectPublicKeyInfo`.
    package let der: [UInt8]

    /// - Returns: `nil` unless `der` is the `SubjectPublicKeyInfo` of a key on P-256, and nothing follows it.
    package init?(der: [UInt8]) {
        guard let key = Self.key(der) else { return nil }
        EVP_PKEY_free(key)
        self.der = der
    }

    /// Reads the text form, `-----BEGIN PUBLIC KEY-----`.
    /// - Throws: ``KeyTextError`` that says what the text is instead.
    package init(pem: String) throws(KeyTextError) {
        guard !pem.contains("PRIVATE KEY-----") else { throw .privateKey }
        guard pem.contains("-----BEGIN PUBLIC KEY-----"), let key = Self.key(pem: pem) else { throw .noPublicKey }
        defer { EVP_PKEY_free(key) }
        guard Self.isOnP256(key), let der = Self.der(key) else { throw .otherCurve }
        self.der = der
    }

    /// Whether `signature`, ASN.1 DER, is this key's over the SHA-256 of `message`.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = Self.key(der), let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    private static func key(_ der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var place = bytes.baseAddress
            guard let key = d2i_PUBKEY(nil, &place, bytes.count) else { return nil }
            if let place, let start = bytes.baseAddress, place - start == bytes.count, isOnP256(key) { return key }
            EVP_PKEY_free(key)
            return nil
        }
    }

    private static func key(pem: String) -> OpaquePointer? {
        let text = [UInt8](pem.utf8)
        guard let reader = BIO_new_mem_buf(text, Int32(clamping: text.count)) else { return nil }
        defer { BIO_free(reader) }
        // Without a word for it OpenSSL would ask the terminal for the password of what is encrypted.
        return PEM_read_bio_PUBKEY(reader, nil, { _, _, _, _ in 0 }, nil)
    }

    private static func isOnP256(_ key: OpaquePointer) -> Bool {
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return false }
        var name = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, &name, name.count, nil) == 1 else {
            return false
        }
        return name.prefix { $0 != 0 }.elementsEqual("prime256v1".utf8.map { CChar($0) })
    }

    fileprivate static func der(_ key: OpaquePointer) -> [UInt8]? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, #file, #line) }
        return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}

/// Why a text is not the public half of a key that signs requests.
package enum KeyTextError: Error, Hashable, Sendable, CustomStringConvertible {
    case privateKey
    case noPublicKey
    case otherCurve

    package var description: String {
        switch self {
        case .privateKey:
            "this is a private key, which only the one who signs may have; give its public half, which "
                + "'openssl ec -in KEY.pem -pubout' prints"
        case .noPublicKey: "this is not a public key in PEM form, which begins with -----BEGIN PUBLIC KEY-----"
        case .otherCurve:
            "this public key is not on the curve P-256; 'openssl ecparam -name prime256v1 -genkey -noout' makes one "
                + "that is"
        }
    }
}

/// A key pair on P-256: signs by ECDSA with SHA-256.
///
/// Unchecked: the key is made before anyone else has it, and OpenSSL only reads it afterwards.
package final class P256PrivateKey: @unchecked Sendable {
    private let key: OpaquePointer
    package let publicKey: P256PublicKey

    /// Makes a new key.
    package init() {
        guard let key = copenssl_p256(), let der = P256PublicKey.der(key), let publicKey = P256PublicKey(der: der)
        else { preconditionFailure("keys on P-256 are not available") }
        self.key = key
        self.publicKey = publicKey
    }

    deinit { EVP_PKEY_free(key) }

    /// A signature over the SHA-256 of `message`, ASN.1 DER; another one each time.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 128)
        var count = signature.count
        let isSigned =
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        precondition(isSigned, "ECDSA with SHA-256 is not available")
        return Array(signature.prefix(count))
    }
}
