import CloudCore

/// What `type` says of a value.
private enum DeclaredType {
    case scalar(ScalarType)
    case list(ScalarType)
    /// The JSON, then the schema, tells the type.
    case open
}

extension FieldDraft {
    /// A field value `{"value": …, "type": …}`; null, `{}` and a null `value` clear the field.
    init(name: String, _ json: JSONReader) throws(WireError) {
        if json.isNull {
            self.init(name: name, value: nil, isTyped: false)
            return
        }
        var value: JSONReader?
        var declared = DeclaredType.open
        for (key, member) in try json.members where !member.isNull {
            switch key {
            case "value": value = member
            case "type": declared = try DeclaredType(member)
            case "isEncrypted": if try member.bool() { throw json.notAvailable("encryption of a field") }
            default: break
            }
        }
        guard let value else {
            self.init(name: name, value: nil, isTyped: false)
            return
        }
        switch declared {
        case .scalar(let type): self.init(name: name, value: try FieldValue(value, as: type), isTyped: true)
        case .list(let type): self.init(name: name, value: try FieldValue(value, listOf: type), isTyped: true)
        case .open: self.init(name: name, value: try FieldValue(inferring: value), isTyped: false)
        }
    }
}

extension DeclaredType {
    init(_ json: JSONReader) throws(WireError) {
        switch try json.text() {
        case "STRING": self = .scalar(.string)
        case "INT64", "BOOLEAN": self = .scalar(.int64)
        case "DOUBLE": self = .scalar(.double)
        case "TIMESTAMP": self = .scalar(.timestamp)
        case "BYTES": self = .scalar(.bytes)
        case "REFERENCE": self = .scalar(.reference)
        case "STRING_LIST": self = .list(.string)
        case "INT64_LIST", "BOOLEAN_LIST": self = .list(.int64)
        case "DOUBLE_LIST": self = .list(.double)
        case "TIMESTAMP_LIST": self = .list(.timestamp)
        case "BYTES_LIST": self = .list(.bytes)
        case "REFERENCE_LIST": self = .list(.reference)
        case "LOCATION": self = .scalar(.location)
        case "LOCATION_LIST": self = .list(.location)
        case "ASSETID", "ASSET": self = .scalar(.asset)
        case "ASSETID_LIST", "ASSET_LIST": self = .list(.asset)
        case "UNKNOWN_LIST", "LIST": self = .open
        case "ENCRYPTED_BYTES", "ENCRYPTED_BYTES_LIST", "ENCRYPTED_STRING", "ENCRYPTED_INT64", "ENCRYPTED_DOUBLE",
            "ENCRYPTED_TIMESTAMP":
            throw json.notAvailable("the field type " + (try json.string()))
        case let other: throw json.failure("Unexpected input: unknown field type '\(other.string)'")
        }
    }
}

extension FieldValue {
    /// A value of a declared scalar type.
    init(_ json: JSONReader, as type: ScalarType) throws(WireError) {
        switch type {
        case .string:
            self = .string(try json.string())
        case .int64:
            switch json.kind {
            case .bool: self = .int64(try json.bool() ? 1 : 0)
            case .string:
                guard let number = Int64(try json.string()) else { throw json.unexpected("an integer") }
                self = .int64(number)
            default: self = .int64(try json.int64())
            }
        case .double:
            self = .double(try json.doubleOrText())
        case .timestamp:
            self = .timestamp(try json.milliseconds())
        case .bytes:
            guard let bytes = Base64Text.decode(try json.text().bytes) else { throw json.unexpected("standard base64") }
            self = .bytes(bytes)
        case .reference:
            self = .reference(try Reference(json))
        case .location:
            self = .location(try Location(json))
        case .asset:
            self = .asset(try Asset(json))
        }
    }

    /// A list of a declared element type.
    init(_ json: JSONReader, listOf type: ScalarType) throws(WireError) {
        var values: [FieldValue] = []
        values.reserveCapacity(json.count)
        for element in try json.elements { values.append(try FieldValue(element, as: type)) }
        self = .list(type, values)
    }

    /// A value whose type only its JSON suggests.
    init(inferring json: JSONReader) throws(WireError) {
        switch json.kind {
        case .array: self = try Self.inferringList(json)
        case .string: self = .string(try json.string())
        case .integer: self = .int64(try json.int64())
        case .bool: self = .int64(try json.bool() ? 1 : 0)
        case .double: self = .double(try json.double())
        case .null: throw json.unexpected("a value")
        case .object:
            if try json.member("recordName") != nil {
                self = .reference(try Reference(json))
            } else if try json.member("latitude") != nil {
                self = .location(try Location(json))
            } else if try json.either("receipt", "fileChecksum") != nil {
                self = .asset(try Asset(json))
            } else {
                throw json.unexpected("a field value")
            }
        }
    }

    private static func inferringList(_ json: JSONReader) throws(WireError) -> FieldValue {
        var values: [FieldValue] = []
        values.reserveCapacity(json.count)
        var type: ScalarType?
        for element in try json.elements {
            if element.kind == .array { throw element.unexpected("a scalar in a list") }
            let value = try FieldValue(inferring: element)
            guard case .scalar(let found) = value.type else { throw element.unexpected("a scalar in a list") }
            switch (type, found) {
            case (nil, _): type = found
            case (.int64?, .double): type = .double
            case (.double?, .int64): break
            case (let known?, _) where known != found:
                throw element.failure("Unexpected input: a list of \(known.wireName) holds a \(found.wireName)")
            default: break
            }
            values.append(value)
        }
        if type == .double {
            values = values.map { if case .int64(let number) = $0 { .double(Double(number)) } else { $0 } }
        }
        return .list(type, values)
    }
}

extension JSONReader {
    /// A finite number, also one in a string.
    func doubleOrText() throws(WireError) -> Double {
        guard kind == .string else { return try double() }
        guard let number = Double(try string()), number.isFinite else { throw unexpected("a finite number") }
        return number
    }

    /// Milliseconds since 1970; fractions are rounded, strings are read as numbers.
    func milliseconds() throws(WireError) -> Int64 {
        let number: Double
        switch kind {
        case .integer: return try int64()
        case .string:
            let text = try string()
            if let exact = Int64(text) { return exact }
            guard let fraction = Double(text) else { throw unexpected("milliseconds since 1970") }
            number = fraction
        default: number = try double()
        }
        guard let exact = Int64(rounding: number) else { throw unexpected("milliseconds since 1970") }
        return exact
    }
}

extension Reference {
    init(_ json: JSONReader) throws(WireError) {
        var name: String?
        var zone: ZoneID?
        var action = ReferenceAction.none
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "recordName": name = try value.string()
            case "zoneID": zone = try ZoneID(value)
            case "action":
                switch try value.text() {
                case "NONE": action = .none
                case "DELETE_SELF": action = .deleteSelf
                case "VALIDATE": action = .validate
                default: throw value.unexpected("NONE, DELETE_SELF or VALIDATE")
                }
            default: break
            }
        }
        guard let name else { throw json.missing("recordName") }
        self.init(recordName: name, zone: zone, action: action)
    }
}

// MARK: - Writing

extension JSONWriter {
    /// `{"value": …, "type": …}`; references without a zone get `zone` when it is given.
    mutating func field(_ value: FieldValue, typed: Bool = true, in zone: ZoneID? = nil, quoting: Bool = false) {
        object {
            $0.key("value")
            $0.bare(value, in: zone, quoting: quoting)
            if typed {
                $0.key("type")
                $0.typeName(value.type)
            }
        }
    }

    mutating func field(_ draft: FieldDraft) {
        key(draft.name)
        guard let value = draft.value else {
            object {
                $0.key("value")
                $0.null()
            }
            return
        }
        field(value, typed: draft.isTyped)
    }

    mutating func bare(_ value: FieldValue, in zone: ZoneID?, quoting: Bool) {
        switch value {
        case .string(let text): string(text)
        case .int64(let number), .timestamp(let number): integer(number, quoted: quoting)
        case .double(let number): double(number, quoted: quoting)
        case .bytes(let bytes): base64(bytes)
        case .reference(let reference): self.reference(reference, in: zone)
        case .location(let location): self.location(location, quoting: quoting)
        case .asset(let asset): self.asset(asset, quoting: quoting)
        case .list(_, let elements): array(elements) { $0.bare($1, in: zone, quoting: quoting) }
        }
    }

    mutating func reference(_ reference: Reference, in zone: ZoneID?) {
        object {
            $0.member("recordName", reference.recordName)
            $0.key("action")
            switch reference.action {
            case .none: $0.plain("NONE")
            case .deleteSelf: $0.plain("DELETE_SELF")
            case .validate: $0.plain("VALIDATE")
            }
            if let zone = reference.zone ?? zone { $0.member("zoneID", zone) }
        }
    }

    private mutating func typeName(_ type: FieldType) {
        switch type {
        case .scalar(.string): plain("STRING")
        case .scalar(.int64): plain("INT64")
        case .scalar(.double): plain("DOUBLE")
        case .scalar(.timestamp): plain("TIMESTAMP")
        case .scalar(.bytes): plain("BYTES")
        case .scalar(.reference): plain("REFERENCE")
        case .scalar(.location): plain("LOCATION")
        case .scalar(.asset): plain("ASSETID")
        default: string(type.wireName)
        }
    }
}
