import CArgon2

/// Passwords as Argon2id hashes in the usual encoded form, which carries its own salt and costs.
package enum PasswordHash {
    private static let passes: UInt32 = 2
    private static let kibibytes: UInt32 = 19_456
    private static let lanes: UInt32 = 1
    private static let saltLength = 16
    private static let hashLength = 32

    package static func make(_ password: String) -> String {
        let bytes = [UInt8](password.utf8)
        let salt = Crypto.random(saltLength)
        let length = argon2_encodedlen(
            passes, kibibytes, lanes, UInt32(saltLength), UInt32(hashLength), Argon2_id)
        var encoded = [CChar](repeating: 0, count: length)
        let code = argon2id_hash_encoded(
            passes, kibibytes, lanes, bytes, bytes.count, salt, saltLength, hashLength, &encoded, length)
        precondition(code == ARGON2_OK.rawValue, "Argon2 failed with code \(code)")
        return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package static func verify(_ password: String, _ encoded: String) -> Bool {
        let bytes = [UInt8](password.utf8)
        return argon2id_verify(encoded, bytes, bytes.count) == ARGON2_OK.rawValue
    }
}
