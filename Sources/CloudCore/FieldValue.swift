/// The type of a field's value, or of the elements of a list field.
package enum ScalarType: UInt8, Hashable, Sendable, CaseIterable {
    case string = 1
    case int64 = 2
    case double = 3
    case timestamp = 4
    case bytes = 5
    case reference = 6
    case location = 7
    case asset = 8

    /// The protocol's word, for example `INT64`.
    package var wireName: String {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .timestamp: "TIMESTAMP"
        case .bytes: "BYTES"
        case .reference: "REFERENCE"
        case .location: "LOCATION"
        case .asset: "ASSETID"
        }
    }
}

/// The type of a field: a scalar, a list of one scalar type, or a list whose element type nobody has told yet.
package enum FieldType: Hashable, Sendable {
    case scalar(ScalarType)
    case list(ScalarType)
    case unknownList

    /// The protocol's word, for example `STRING`, `STRING_LIST`, `UNKNOWN_LIST`.
    package var wireName: String {
        switch self {
        case .scalar(let type): type.wireName
        case .list(let type): type.wireName + "_LIST"
        case .unknownList: "UNKNOWN_LIST"
        }
    }

    package init?(wireName: String) {
        if wireName == "UNKNOWN_LIST" {
            self = .unknownList
        } else if let type = ScalarType.allCases.first(where: { $0.wireName == wireName }) {
            self = .scalar(type)
        } else if let type = ScalarType.allCases.first(where: { $0.wireName + "_LIST" == wireName }) {
            self = .list(type)
        } else {
            return nil
        }
    }
}

/// What becomes of a record when the record it refers to is deleted.
package enum ReferenceAction: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    case deleteSelf = "DELETE_SELF"
    case validate = "VALIDATE"
}

/// A pointer to a record of the same zone.
package struct Reference: Hashable, Sendable {
    package var recordName: String
    /// `nil` means the zone of the record that holds the reference.
    package var zone: ZoneID?
    package var action: ReferenceAction

    package init(recordName: String, zone: ZoneID? = nil, action: ReferenceAction = .none) {
        self.recordName = recordName
        self.zone = zone
        self.action = action
    }
}

/// A field's value.
package enum FieldValue: Hashable, Sendable {
    case string(String)
    case int64(Int64)
    case double(Double)
    /// Milliseconds since 1970.
    case timestamp(Int64)
    case bytes([UInt8])
    indirect case reference(Reference)
    indirect case location(Location)
    indirect case asset(Asset)
    /// Elements are scalars of one type; an empty list may have no known element type.
    case list(ScalarType?, [FieldValue])

    package var type: FieldType {
        switch self {
        case .string: .scalar(.string)
        case .int64: .scalar(.int64)
        case .double: .scalar(.double)
        case .timestamp: .scalar(.timestamp)
        case .bytes: .scalar(.bytes)
        case .reference: .scalar(.reference)
        case .location: .scalar(.location)
        case .asset: .scalar(.asset)
        case .list(let element?, _): .list(element)
        case .list(nil, _): .unknownList
        }
    }
}
