import CloudCore

extension CloudCore.Comparator {
    init?(predicate: String) {
        switch predicate {
        case "=": self = .equals
        case "!=": self = .notEquals
        case "<": self = .lessThan
        case "<=": self = .lessThanOrEquals
        case ">": self = .greaterThan
        case ">=": self = .greaterThanOrEquals
        default: return nil
        }
    }

    /// The comparator with its sides exchanged.
    var mirrored: CloudCore.Comparator {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEquals: .greaterThanOrEquals
        case .greaterThan: .lessThan
        case .greaterThanOrEquals: .lessThanOrEquals
        default: self
        }
    }

    /// The comparator that holds when this one does not.
    var negation: CloudCore.Comparator? {
        switch self {
        case .equals: .notEquals
        case .notEquals: .equals
        case .lessThan: .greaterThanOrEquals
        case .lessThanOrEquals: .greaterThan
        case .greaterThan: .lessThanOrEquals
        case .greaterThanOrEquals: .lessThan
        case .in: .notIn
        case .notIn: .in
        case .beginsWith: .notBeginsWith
        case .notBeginsWith: .beginsWith
        case .listContains: .notListContains
        case .notListContains: .listContains
        case .listContainsAny: .notListContainsAny
        case .notListContainsAny: .listContainsAny
        case .listContainsAll: .notListContainsAll
        case .notListContainsAll: .listContainsAll
        case .listMemberBeginsWith: .notListMemberBeginsWith
        case .notListMemberBeginsWith: .listMemberBeginsWith
        case .near, .containsAllTokens, .containsAnyTokens: nil
        }
    }
}
