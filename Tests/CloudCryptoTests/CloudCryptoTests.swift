import CloudCrypto
import Testing

@Suite struct `Hashes and codes` {
    @Test func `SHA-256 is the one of the standard`() {
        #expect(
            Hex.encode(Crypto.sha256([UInt8]("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Hex.encode(Crypto.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `HMAC-SHA256 is the one of RFC 4231`() {
        let key = [UInt8]("Jefe".utf8)
        let code = Crypto.hmacSHA256(key: key, [UInt8]("what do ya want for nothing?".utf8))
        #expect(Hex.encode(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `random bytes have the length asked for and differ`() {
        #expect(Crypto.random(0).isEmpty)
        #expect(Crypto.random(32).count == 32)
        #expect(Crypto.random(32) != Crypto.random(32))
    }

    @Test func `bytes are equal only when all are`() {
        #expect(Crypto.equal([], []))
        #expect(Crypto.equal([1, 2], [1, 2]))
        #expect(!Crypto.equal([1, 2], [1, 3]))
        #expect(!Crypto.equal([1, 2], [1, 2, 3]))
    }
}

@Suite struct `Texts of bytes` {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `base64 is the one of RFC 4648`(plain: String, text: String) {
        #expect(Base64.encode([UInt8](plain.utf8)) == text)
        #expect(Base64.decode(text) == [UInt8](plain.utf8))
    }

    @Test(arguments: ["Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zm-_", "Zm9v\n", "Zg==Zg==", "=m9v", "Zm8é"])
    func `base64 of another form is refused`(text: String) { #expect(Base64.decode(text) == nil) }

    @Test func `every byte comes back`() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(Hex.decode("AbCd") == [0xab, 0xcd])
    }

    @Test(arguments: ["a", "0g", "é"])
    func `text that is not hexadecimal is refused`(text: String) { #expect(Hex.decode(text) == nil) }
}

@Suite struct `Password hashes` {
    @Test func `only the password itself passes, and equal passwords have different hashes`() {
        let hash = PasswordHash.make("pässword")
        #expect(hash.hasPrefix("$argon2id$"))
        #expect(PasswordHash.verify("pässword", hash))
        #expect(!PasswordHash.verify("password", hash))
        #expect(PasswordHash.make("pässword") != hash)
        #expect(!PasswordHash.verify("x", "not a hash"))
    }
}
