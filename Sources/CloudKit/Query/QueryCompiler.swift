import CloudCore
import Foundation

extension CKQuery {
    /// The query for the service, or `invalidArguments` naming what it cannot answer.
    ///
    /// `currentUser` stands in for ``CKCurrentUserDefaultName`` where a user is compared with.
    func recordQuery(currentUser: String? = nil) throws -> RecordQuery {
        let sorts = try (sortDescriptors ?? []).map { descriptor in
            guard let order = SortOrder(descriptor) else {
                throw CKError(.invalidArguments, reason: "a query sorts by fields' names only, not by other key paths")
            }
            let field = try Self.translatingFailure { () throws(PredicateFailure) in
                try QueryCompiler.field(order.key)
            }
            return QuerySort(field: field, ascending: order.ascending, relativeLocation: order.place?.location)
        }
        let filters = try QueryCompiler(currentUser: currentUser).filters(of: predicate)
        if let reason = NameRule.identifierViolation(in: recordType, of: "record type") {
            throw CKError(.invalidArguments, reason: reason)
        }
        return RecordQuery(recordType: recordType, filters: filters, sorts: sorts)
    }

    fileprivate static func translatingFailure<T>(_ body: () throws(PredicateFailure) -> T) throws(CKError) -> T {
        do throws(PredicateFailure) {
            return try body()
        } catch {
            throw CKError(.invalidArguments, reason: error.reason)
        }
    }
}

/// Turns a predicate's tree into filters that must all hold.
struct QueryCompiler {
    var currentUser: String?

    func filters(of predicate: NSPredicate) throws(CKError) -> [QueryFilter] {
        switch ParsedPredicate(predicate) {
        case .failure(let failure): throw CKError(.invalidArguments, reason: failure.reason)
        case .tree(let tree):
            return try CKQuery.translatingFailure { () throws(PredicateFailure) in try filters(of: tree) }
        }
    }

    /// What stands for all text of a record in `allTokens TOKENMATCHES …`.
    static let allTokens = "allTokens"

    /// The field a predicate's or a sort descriptor's key means.
    static func field(_ key: String) throws(PredicateFailure) -> QueryField {
        switch key {
        case CKRecord.SystemFieldKey.recordID: return .system(.recordName)
        case CKRecord.SystemFieldKey.creationDate: return .system(.createdTimestamp)
        case CKRecord.SystemFieldKey.modificationDate: return .system(.modifiedTimestamp)
        case CKRecord.SystemFieldKey.creatorUserRecordID: return .system(.createdUserRecordName)
        case CKRecord.SystemFieldKey.lastModifiedUserRecordID: return .system(.modifiedUserRecordName)
        case CKRecord.SystemFieldKey.parent: return .system(.parent)
        case CKRecord.SystemFieldKey.share: throw PredicateFailure(reason: "queries by 'share' are not available yet")
        case allTokens: throw PredicateFailure(reason: "allTokens is searched with TOKENMATCHES only")
        default: break
        }
        if key.contains(".") {
            throw PredicateFailure(reason: "the key path '\(key)' is not supported in a query; a key names one field")
        }
        if let reason = NameRule.identifierViolation(in: key, of: "field name") {
            throw PredicateFailure(reason: reason)
        }
        return .user(key)
    }

    private func filters(of node: PredicateNode) throws(PredicateFailure) -> [QueryFilter] {
        switch node {
        case .value(true): return []
        case .value(false):
            return [QueryFilter(field: .system(.recordName), comparator: .in, value: .list(.string, []))]
        case .and(let parts):
            var filters: [QueryFilter] = []
            for part in parts { filters += try self.filters(of: part) }
            return filters
        case .or: throw PredicateFailure(reason: "the operator OR is not supported in a query")
        case .not(let inner): return try negated(inner)
        case .comparison(let comparison): return try filters(of: comparison)
        }
    }

    private func negated(_ node: PredicateNode) throws(PredicateFailure) -> [QueryFilter] {
        switch node {
        case .value(let value): return try filters(of: .value(!value))
        case .not(let inner): return try filters(of: inner)
        case .and: throw PredicateFailure(reason: "NOT of AND is not supported in a query")
        case .or: throw PredicateFailure(reason: "the operator OR is not supported in a query")
        case .comparison(let comparison):
            if comparison.comparator == "BETWEEN" {
                throw PredicateFailure(reason: "NOT of BETWEEN is not supported in a query")
            }
            let filters = try filters(of: comparison)
            guard filters.count == 1, let negation = filters[0].comparator.negation else {
                throw PredicateFailure(reason: "NOT of \(comparison.comparator) is not supported in a query")
            }
            var filter = filters[0]
            filter.comparator = negation
            return [filter]
        }
    }

    // MARK: One comparison

    private func filters(of comparison: PredicateComparison) throws(PredicateFailure) -> [QueryFilter] {
        if let filter = try functionFilter(comparison) { return [filter] }
        try check(comparison)
        if let quantifier = comparison.quantifier {
            guard quantifier == "ANY" || quantifier == "SOME" else {
                throw PredicateFailure(reason: "the operator \(quantifier) is not supported in a query")
            }
            return [try anyFilter(comparison)]
        }
        switch (comparison.left, comparison.right) {
        case (.whole, _): return [try tokenFilter(.text, .containsAnyTokens, comparison)]
        case (.key(let key), _) where comparison.comparator == "TOKENMATCHES":
            let field = key == Self.allTokens ? QueryField.text : try Self.field(key)
            return [try tokenFilter(field, .containsAllTokens, comparison)]
        case (.key(let key), _): return try filters(key, comparison.comparator, comparison.right)
        case (_, .key(let key)): return [try mirrored(comparison, key)]
        default: throw PredicateFailure(reason: "a comparison in a query needs one field and one value")
        }
    }

    /// Refuses what no query can answer, whatever the field is.
    private func check(_ comparison: PredicateComparison) throws(PredicateFailure) {
        for side in [comparison.left, comparison.right] {
            if case .function(let name, _) = side {
                throw PredicateFailure(reason: "the function \(name) is not supported in a query")
            }
            if case .whole = side, comparison.comparator != "CONTAINS" {
                throw PredicateFailure(reason: "self \(comparison.comparator) is not supported in a query")
            }
            if case .null = side {
                throw PredicateFailure(reason: "a query cannot compare with nil (\(comparison.comparator))")
            }
        }
        switch comparison.comparator {
        case "ENDSWITH", "LIKE", "MATCHES":
            throw PredicateFailure(reason: "the operator \(comparison.comparator) is not supported in a query")
        default: break
        }
        // The service compares text exactly; an option that asks for less would be ignored in silence.
        if comparison.options.contains(where: { "cd".contains($0) }), comparison.comparesText, !comparison.seeksTokens {
            throw PredicateFailure(
                reason: "\(comparison.comparator)[\(comparison.options)] is not available; text is compared exactly")
        }
    }

    /// A search by words, which takes no account of case and accents whatever the options say.
    private func tokenFilter(
        _ field: QueryField, _ comparator: CloudCore.Comparator, _ comparison: PredicateComparison
    ) throws(PredicateFailure) -> QueryFilter {
        guard comparison.quantifier == nil, case .constant(.string(let text)) = comparison.right else {
            throw PredicateFailure(reason: "a search by words (\(comparison.comparator)) needs one string")
        }
        return QueryFilter(field: field, comparator: comparator, value: .string(text))
    }

    private func filters(
        _ key: String, _ comparator: String, _ side: PredicateExpression
    ) throws(PredicateFailure) -> [QueryFilter] {
        let field = try Self.field(key)
        if case .key(let other) = side {
            guard comparator == "IN" || comparator == "CONTAINS" else {
                throw PredicateFailure(
                    reason: "comparing the fields '\(key)' and '\(other)' is not supported in a query")
            }
            throw PredicateFailure(reason: "'\(key)' \(comparator) '\(other)' needs a value, not a second field")
        }
        switch comparator {
        case "BETWEEN":
            guard case .list(let bounds) = side, bounds.count == 2 else {
                throw PredicateFailure(reason: "BETWEEN needs a list of two values")
            }
            return [
                QueryFilter(field: field, comparator: .greaterThanOrEquals, value: try value(bounds[0], field)),
                QueryFilter(field: field, comparator: .lessThanOrEquals, value: try value(bounds[1], field)),
            ]
        case "IN":
            guard case .list(let elements) = side else { throw PredicateFailure(reason: "IN needs a list of values") }
            return [QueryFilter(field: field, comparator: .in, value: try list(elements, field))]
        case "CONTAINS": return [QueryFilter(field: field, comparator: .listContains, value: try value(side, field))]
        case "BEGINSWITH":
            let prefix = try value(side, field)
            guard case .string = prefix else { throw PredicateFailure(reason: "BEGINSWITH needs a string") }
            return [QueryFilter(field: field, comparator: .beginsWith, value: prefix)]
        default:
            guard let simple = CloudCore.Comparator(predicate: comparator) else {
                throw PredicateFailure(reason: "the operator \(comparator) is not supported in a query")
            }
            return [QueryFilter(field: field, comparator: simple, value: try value(side, field))]
        }
    }

    /// The value comes first: `5 < n`, `'x' IN tags`.
    private func mirrored(_ comparison: PredicateComparison, _ key: String) throws(PredicateFailure) -> QueryFilter {
        let field = try Self.field(key)
        if comparison.comparator == "IN" {
            return QueryFilter(field: field, comparator: .listContains, value: try value(comparison.left, field))
        }
        guard let simple = CloudCore.Comparator(predicate: comparison.comparator) else {
            throw PredicateFailure(reason: "\(comparison.comparator) needs a field on its left side")
        }
        return QueryFilter(field: field, comparator: simple.mirrored, value: try value(comparison.left, field))
    }

    private func anyFilter(_ comparison: PredicateComparison) throws(PredicateFailure) -> QueryFilter {
        switch (comparison.left, comparison.comparator, comparison.right) {
        case (.list(let elements), "=", .key(let key)):
            let field = try Self.field(key)
            return QueryFilter(field: field, comparator: .in, value: try list(elements, field))
        case (.key(let key), "=", let side):
            let field = try Self.field(key)
            return QueryFilter(field: field, comparator: .listContains, value: try value(side, field))
        case (.key(let key), "IN", .list(let elements)):
            let field = try Self.field(key)
            return QueryFilter(field: field, comparator: .listContainsAny, value: try list(elements, field))
        case (.key(let key), "BEGINSWITH", let side):
            let field = try Self.field(key)
            return QueryFilter(field: field, comparator: .listMemberBeginsWith, value: try value(side, field))
        default:
            throw PredicateFailure(
                reason: "\(comparison.quantifier ?? "ANY") with \(comparison.comparator) is not supported in a query")
        }
    }

    // MARK: Values

    func value(_ side: PredicateExpression, _ field: QueryField) throws(PredicateFailure) -> FieldValue {
        guard case .constant(let constant) = side else {
            throw PredicateFailure(reason: "'\(field.name)' must be compared with one value here")
        }
        guard constant.assets.isEmpty else {
            throw PredicateFailure(reason: "'\(field.name)' is compared with an asset, which a query cannot look into")
        }
        let value: FieldValue
        do throws(UnsendableValue) {
            value = try constant.fieldValue(in: nil)
        } catch {
            throw PredicateFailure(reason: "the value compared with '\(field.name)' \(error.problem)")
        }
        return systemValue(value, field)
    }

    private func list(_ elements: [PredicateExpression], _ field: QueryField) throws(PredicateFailure) -> FieldValue {
        var values: [FieldValue] = []
        for element in elements { values.append(try value(element, field)) }
        guard let first = values.first else { return .list(nil, []) }
        if values.contains(where: { $0.type == .scalar(.double) }) {
            values = values.map { if case .int64(let value) = $0 { .double(Double(value)) } else { $0 } }
        }
        guard case .scalar(let type) = values[0].type, values.allSatisfy({ $0.type == .scalar(type) }) else {
            let types = "mixed types (\(first.type.wireName) first)"
            throw PredicateFailure(reason: "the values compared with '\(field.name)' are of \(types)")
        }
        return .list(type, values)
    }

    /// Record names travel as strings, users and parents as references; the placeholder becomes the user's name.
    private func systemValue(_ value: FieldValue, _ field: QueryField) -> FieldValue {
        switch (field, value) {
        case (.system(.recordName), .reference(let target)): return .string(target.recordName)
        case (.system(.createdUserRecordName), .reference(let target)),
            (.system(.modifiedUserRecordName), .reference(let target)):
            return user(target.recordName)
        case (.system(.createdUserRecordName), .string(let name)),
            (.system(.modifiedUserRecordName), .string(let name)):
            return user(name)
        case (.system(.parent), .string(let name)): return .reference(Reference(recordName: name))
        default: return value
        }
    }

    private func user(_ name: String) -> FieldValue {
        .reference(Reference(recordName: name == CKCurrentUserDefaultName ? currentUser ?? name : name))
    }
}
