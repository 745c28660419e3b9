import CloudCrypto
import Testing

@Suite struct `Keys on P-256` {
    private let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWF0b00Qfi6UMDfF+fexxLUIPSQ+k
        2798vb8Zb9a/w6KTENW56bQa4RVtR5mM6AuGNoEmAhNjp+ealvZDVkirtQ==
        -----END PUBLIC KEY-----
        """

    @Test func `a signature is good for its message and its key only`() {
        let key = P256PrivateKey()
        let message = Array("milk".utf8)
        let signature = key.sign(message)
        #expect(key.publicKey.isValid(signature, of: message))
        #expect(key.publicKey.isValid(key.sign(message), of: message))
        #expect(!key.publicKey.isValid(signature, of: message + [0]))
        #expect(!P256PrivateKey().publicKey.isValid(signature, of: message))
        #expect(!key.publicKey.isValid([], of: message))
        #expect(!key.publicKey.isValid(Array(signature.dropLast()), of: message))
        #expect(!key.publicKey.isValid([UInt8](repeating: 0x30, count: 70), of: message))
    }

    @Test func `a public key is read from its text and from its bytes`() throws {
        let key = try P256PublicKey(pem: pem)
        #expect(P256PublicKey(der: key.der) == key)
        #expect(try P256PublicKey(pem: "what openssl says before it\n" + pem + "\n") == key)
        #expect(P256PublicKey(der: key.der + [0]) == nil)
        #expect(P256PublicKey(der: Array(key.der.dropLast())) == nil)
        #expect(P256PublicKey(der: []) == nil)
    }

    @Test func `what is no public key on P-256 is refused, saying what it is`() {
        let edwards = """
            -----BEGIN PUBLIC KEY-----
            MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
            -----END PUBLIC KEY-----
            """
        #expect(throws: KeyTextError.otherCurve) { try P256PublicKey(pem: edwards) }
        #expect(throws: KeyTextError.noPublicKey) { try P256PublicKey(pem: "") }
        #expect(throws: KeyTextError.noPublicKey) { try P256PublicKey(pem: "ssh-rsa AAAA") }
        #expect(throws: KeyTextError.noPublicKey) {
            try P256PublicKey(pem: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----")
        }
        for kind in ["PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"] {
            #expect(throws: KeyTextError.privateKey) {
                try P256PublicKey(pem: "-----BEGIN \(kind)-----\nAAAA\n-----END \(kind)-----\n" + pem)
            }
        }
    }
}
