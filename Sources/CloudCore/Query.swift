/// A field that a filter or a sort names: one of the app's own, or one that every record has.
package enum QueryField: Hashable, Sendable {
    case user(String)
    case system(SystemField)
    /// All text of the record; only words are sought there.
    case text

    /// The name to use in reasons.
    package var name: String {
        switch self {
        case .user(let name): name
        case .system(let field): field.rawValue
        case .text: "(all text)"
        }
    }
}

/// The fields every record has, by their `systemFieldName`.
package enum SystemField: String, Hashable, Sendable, CaseIterable {
    case recordName
    case createdTimestamp
    case createdUserRecordName
    case modifiedTimestamp
    case modifiedUserRecordName
    case parent
    case share

    /// The name in the schema and, from some clients, in `fieldName`: `___createTime` …
    package var schemaName: String {
        switch self {
        case .recordName: "___recordID"
        case .createdTimestamp: "___createTime"
        case .createdUserRecordName: "___createdBy"
        case .modifiedTimestamp: "___modTime"
        case .modifiedUserRecordName: "___modifiedBy"
        case .parent: "___parent"
        case .share: "___share"
        }
    }
}

/// The comparators of `filterBy`.
package enum Comparator: String, Hashable, Sendable, CaseIterable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    case `in` = "IN"
    case notIn = "NOT_IN"
    case near = "NEAR"
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listContainsAny = "LIST_CONTAINS_ANY"
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    case listContainsAll = "LIST_CONTAINS_ALL"
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
}

/// One condition. All conditions of a query must hold.
package struct QueryFilter: Hashable, Sendable {
    package var field: QueryField
    package var comparator: Comparator
    package var value: FieldValue
    /// False when the request named no type, so that the schema's type may convert the value.
    package var isTyped: Bool
    /// Of `NEAR`: the radius in metres.
    package var distance: Double?

    package init(
        field: QueryField, comparator: Comparator, value: FieldValue, isTyped: Bool = true, distance: Double? = nil
    ) {
        self.field = field
        self.comparator = comparator
        self.value = value
        self.isTyped = isTyped
        self.distance = distance
    }
}

package struct QuerySort: Hashable, Sendable {
    package var field: QueryField
    package var ascending: Bool
    /// Orders a field of locations by their distance from here, records without one last.
    package var relativeLocation: Location?

    package init(field: QueryField, ascending: Bool = true, relativeLocation: Location? = nil) {
        self.field = field
        self.ascending = ascending
        self.relativeLocation = relativeLocation
    }
}

package struct RecordQuery: Hashable, Sendable {
    package var recordType: String
    package var filters: [QueryFilter]
    package var sorts: [QuerySort]

    package init(recordType: String, filters: [QueryFilter] = [], sorts: [QuerySort] = []) {
        self.recordType = recordType
        self.filters = filters
        self.sorts = sorts
    }
}
