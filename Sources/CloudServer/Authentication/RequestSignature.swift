import CloudCore
import CloudCrypto
import CloudStorage
import HTTPCore

/// What a server-to-server key has signed a request with: three headers (protocol reference, section 2.5).
struct RequestSignature: Sendable {
    let keyID: String
    /// Exactly as the header has it; it is part of what is signed.
    let date: String
    /// ASN.1 DER.
    let bytes: [UInt8]

    private static let keyHeader = "X-Apple-CloudKit-Request-KeyID"
    private static let dateHeader = "X-Apple-CloudKit-Request-ISO8601Date"
    private static let signatureHeader = "X-Apple-CloudKit-Request-SignatureV1"

    /// - Returns: `nil` for a request without any of the headers.
    /// - Throws: `AUTHENTICATION_FAILED` naming the header that is missing or cannot be what it should be.
    init?(_ headers: HTTPHeaders) throws(CloudError) {
        let values = [Self.keyHeader, Self.dateHeader, Self.signatureHeader].map { (name: $0, value: headers[$0]) }
        guard values.contains(where: { $0.value != nil }) else { return nil }
        if let missing = values.first(where: { $0.value?.isEmpty != false }) {
            throw Authenticator.failed("the header \(missing.name) is missing")
        }
        keyID = values[0].value ?? ""
        date = values[1].value ?? ""
        guard let bytes = Base64.decode(values[2].value ?? "") else {
            throw Authenticator.failed("\(Self.signatureHeader) is not base64")
        }
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - now: Milliseconds since 1970.
    ///   - window: How far the date may be from it, in seconds.
    /// - Throws: `AUTHENTICATION_FAILED` saying how far the date is off.
    func requireTimely(now: Int64, window: Int) throws(CloudError) {
        guard let seconds = Self.seconds(of: date) else {
            throw Authenticator.failed(
                "\(Self.dateHeader) '\(date.prefix(40))' is not a date in UTC such as 2026-03-04T05:06:07Z")
        }
        let distance = (seconds * 1000 - now).magnitude
        guard distance <= Int64(window).magnitude * 1000 else {
            throw Authenticator.failed(
                "\(Self.dateHeader) '\(date)' is \((distance + 999) / 1000) s from the service's time; at most "
                    + "\(window) s are allowed")
        }
    }

    /// Whether the key has signed this request.
    /// - Parameters:
    ///   - target: The raw request target.
    ///   - prefix: What the service's address has before the protocol's paths; clients sign paths with it or without.
    ///   - allowsUnhashed: Whether the body's place may be empty though there is a body, which is not protected then.
    func isValid(
        for target: String, body: [UInt8], key: P256PublicKey, prefix: String, allowsUnhashed: Bool
    ) -> Bool {
        var hashes = [Base64.encode(Crypto.sha256(body))]
        if body.isEmpty || allowsUnhashed { hashes.append("") }
        for path in Self.paths(of: target, prefix: prefix) {
            for hash in hashes where key.isValid(bytes, of: Array("\(date):\(hash):\(path)".utf8)) { return true }
        }
        return false
    }

    /// The paths that clients sign: with the query or without, with the address's prefix or without.
    private static func paths(of target: String, prefix: String) -> [String] {
        let query = target.firstIndex(of: "?").map { target[$0...] } ?? ""
        let path = target.prefix { $0 != "?" }
        var paths = [String(path)]
        if !prefix.isEmpty {
            // A proxy may have removed it on the way.
            paths.append(path.hasPrefix(prefix + "/") ? String(path.dropFirst(prefix.count)) : prefix + path)
        }
        return query.isEmpty ? paths : paths + paths.map { $0 + query }
    }

    /// Seconds since 1970 of `YYYY-MM-DDThh:mm:ss` with `Z` or `+00:00`; `nil` for all else.
    static func seconds(of text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let zone = bytes.dropFirst(19)
        guard zone.elementsEqual("Z".utf8) || zone.elementsEqual("+00:00".utf8) else { return nil }
        for (place, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        where bytes[place] != mark.utf8.first { return nil }
        func number(_ start: Int, _ count: Int) -> Int64? {
            bytes[start..<start + count].reduce(0) { value, digit -> Int64? in
                guard let value, (48...57).contains(digit) else { return nil }
                return value * 10 + Int64(digit - 48)
            }
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), (1...12).contains(month), (1...31).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        // Days of the proleptic Gregorian calendar, counted in years that begin in March.
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let days =
            365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * monthFromMarch + 2) / 5 + day - 1
            - 719_468
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }
}

/// A request that a known key claims to have signed; what remains to be seen is whether it did.
struct SignatureClaim: Sendable {
    let signature: RequestSignature
    let key: P256PublicKey
    let target: String
    let prefix: String
    let allowsUnhashed: Bool

    /// - Parameter body: The raw bytes of the request's body.
    /// - Throws: `AUTHENTICATION_FAILED` unless the key has signed exactly this request.
    func verify(_ body: [UInt8]) throws(CloudError) {
        let isSigned = signature.isValid(
            for: target, body: body, key: key, prefix: prefix, allowsUnhashed: allowsUnhashed)
        guard isSigned else {
            throw Authenticator.failed(
                "the signature is not the key's over 'DATE:HASH:PATH' with the date header, the base64 of the body's "
                    + "SHA-256 and the path of this request")
        }
    }
}
