import CloudCore

/// The body of a request or an answer: a JSON object.
package protocol WireBody: Sendable {
    init(_ json: JSONReader) throws(WireError)
    func write(to json: inout JSONWriter)
    /// A guess at the size of the text.
    var sizeHint: Int { get }
}

extension WireBody {
    package var sizeHint: Int { 512 }

    package static func decode(_ bytes: [UInt8]) throws(WireError) -> Self {
        try JSONTape.readObject(bytes) { json throws(WireError) in try Self(json) }
    }

    /// - Parameter presenter: Shows the assets in an answer to whom it is for.
    package func encode(presenter: AssetPresenter? = nil) -> [UInt8] {
        JSONWriter.document(capacity: sizeHint, presenter: presenter) { write(to: &$0) }
    }
}

extension JSONReader {
    func optionalString(_ name: StaticString) throws(WireError) -> String? { try member(name)?.string() }

    /// The first of two members that is there.
    func either(_ name: StaticString, _ other: StaticString) throws(WireError) -> JSONReader? {
        if let value = try member(name) { return value }
        return try member(other)
    }

    /// One element where an array is expected counts as an array of one.
    func oneOrMore() throws(WireError) -> [JSONReader] {
        kind == .array ? Array(try elements) : [self]
    }

    /// The elements of a required array.
    func list(_ name: StaticString) throws(WireError) -> Elements { try required(name).elements }

    func positiveInt() throws(WireError) -> Int {
        let number = try int64()
        guard number > 0 else { throw failure("Unexpected input: must be at least 1") }
        return Int(clamping: number)
    }

    /// A string that must not be empty.
    func nonEmpty() throws(WireError) -> String {
        let text = try string()
        if text.isEmpty { throw failure("must not be empty") }
        return text
    }

    func environment() throws(WireError) -> CloudEnvironment {
        guard let environment = CloudEnvironment(rawValue: try string()) else {
            throw failure("Unexpected input: expected 'development' or 'production'")
        }
        return environment
    }

    /// What is refused because the service does not have it yet.
    func notAvailable(_ what: String) -> WireError { failure("\(what) is not available yet") }
}

/// What several requests share.
struct CommonKeys {
    var zone: WireZoneID?
    var desiredKeys: [String]?
    var numbersAsStrings: Bool?
    var resultsLimit: Int?

    /// Whether `key` was one of them.
    mutating func take(_ key: JSONText, _ value: JSONReader) throws(WireError) -> Bool {
        switch key {
        case "zoneID": if !value.isNull { zone = try WireZoneID(value) }
        case "desiredKeys": if !value.isNull { desiredKeys = try value.strings() }
        case "numbersAsStrings", "numberAsStrings": if !value.isNull { numbersAsStrings = try value.bool() }
        case "resultsLimit": if !value.isNull { resultsLimit = try value.positiveInt() }
        default: return false
        }
        return true
    }
}
