import CloudCore

/// A query's filters, checked against the schema and ready to be applied to records.
struct FilterMatcher {
    struct Filter {
        let field: QueryField
        let comparator: Comparator
        /// Of the field's own type; for comparators that take several values, all of them.
        let values: [FieldValue]
        let fieldType: FieldType
        /// Of `NEAR`.
        var circle: Circle?
        /// Of a search by words.
        var words: [String] = []
    }

    let filters: [Filter]
    /// Those that seek words.
    let tokenFilters: [Filter]

    init(filters: [Filter]) {
        self.filters = filters
        tokenFilters = filters.filter(\.comparator.seeksTokens)
    }

    /// Words last, as finding those of a record takes longest.
    func matches(_ record: Record) -> Bool { filters.allSatisfy { matches(record, $0) } && hasWords(record) }

    private func hasWords(_ record: Record) -> Bool {
        guard !tokenFilters.isEmpty else { return true }
        let words = TextTokens.byField(record)
        return tokenFilters.allSatisfy { filter in
            func has(_ word: String) -> Bool {
                if case .user(let name) = filter.field { return words[name]?.contains(word) ?? false }
                return words.values.contains { $0.contains(word) }
            }
            return filter.comparator == .containsAllTokens
                ? filter.words.allSatisfy(has) : filter.words.contains(where: has)
        }
    }

    private func matches(_ record: Record, _ filter: Filter) -> Bool {
        let value = record.value(of: filter.field)
        switch filter.comparator {
        case .equals: return value.map { equal($0, filter.values[0]) } ?? false
        case .notEquals: return value.map { !equal($0, filter.values[0]) } ?? false
        case .lessThan: return compare(value, filter) { $0 < 0 }
        case .lessThanOrEquals: return compare(value, filter) { $0 <= 0 }
        case .greaterThan: return compare(value, filter) { $0 > 0 }
        case .greaterThanOrEquals: return compare(value, filter) { $0 >= 0 }
        case .in: return value.map { contains(filter.values, $0) } ?? false
        case .notIn: return value.map { !contains(filter.values, $0) } ?? false
        case .near:
            guard case .location(let location)? = value, let circle = filter.circle else { return false }
            return circle.contains(location)
        case .containsAllTokens, .containsAnyTokens: return true  // sought together
        case .beginsWith: return value.map { begins($0, filter.values[0]) } ?? false
        case .notBeginsWith: return value.map { !begins($0, filter.values[0]) } ?? false
        case .listContains, .listContainsAny: return containsAny(value, filter)
        case .notListContains, .notListContainsAny: return !containsAny(value, filter)
        case .listContainsAll: return containsAll(value, filter)
        case .notListContainsAll: return !containsAll(value, filter)
        case .listMemberBeginsWith: return elements(value).contains { begins($0, filter.values[0]) }
        case .notListMemberBeginsWith: return !elements(value).contains { begins($0, filter.values[0]) }
        }
    }

    private func elements(_ value: FieldValue?) -> [FieldValue] {
        if case .list(_, let elements)? = value { elements } else { [] }
    }

    private func contains(_ values: [FieldValue], _ value: FieldValue) -> Bool { values.contains { equal($0, value) } }

    private func containsAny(_ value: FieldValue?, _ filter: Filter) -> Bool {
        let elements = elements(value)
        return filter.values.contains { contains(elements, $0) }
    }

    private func containsAll(_ value: FieldValue?, _ filter: Filter) -> Bool {
        guard case .list(_, let elements)? = value else { return false }
        return filter.values.allSatisfy { contains(elements, $0) }
    }

    private func compare(_ value: FieldValue?, _ filter: Filter, _ holds: (Int) -> Bool) -> Bool {
        guard let value, let order = value.order(to: filter.values[0]) else { return false }
        return holds(order)
    }

    private func equal(_ left: FieldValue, _ right: FieldValue) -> Bool { left.order(to: right) == 0 }

    private func begins(_ value: FieldValue, _ prefix: FieldValue) -> Bool {
        guard case .string(let text) = value, case .string(let start) = prefix else { return false }
        return text.utf8.starts(with: start.utf8)
    }
}

extension FieldValue {
    /// Negative, zero or positive; `nil` for values that do not compare. Text goes by its bytes, references by name,
    /// locations by where they are.
    func order(to other: FieldValue) -> Int? {
        func sign<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }
        func bytes(_ left: String, _ right: String) -> Int {
            if left.utf8.elementsEqual(right.utf8) { return 0 }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        }
        switch (self, other) {
        case (.string(let left), .string(let right)): return bytes(left, right)
        case (.int64(let left), .int64(let right)), (.timestamp(let left), .timestamp(let right)):
            return sign(left, right)
        case (.double(let left), .double(let right)): return sign(left, right)
        case (.reference(let left), .reference(let right)): return bytes(left.recordName, right.recordName)
        case (.location(let left), .location(let right)):
            let order = sign(left.latitude, right.latitude)
            return order == 0 ? sign(left.longitude, right.longitude) : order
        default: return nil
        }
    }
}

extension Record {
    /// What filters and sorts see of a record.
    func value(of field: QueryField) -> FieldValue? {
        switch field {
        case .user(let name): fields[name]
        case .system(.recordName): .string(id.name)
        case .system(.createdTimestamp): .timestamp(created.timestamp)
        case .system(.modifiedTimestamp): .timestamp(modified.timestamp)
        case .system(.createdUserRecordName): .reference(Reference(recordName: created.userRecordName))
        case .system(.modifiedUserRecordName): .reference(Reference(recordName: modified.userRecordName))
        case .system(.parent): parent.map { .reference(Reference(recordName: $0)) }
        case .system(.share), .text: nil
        }
    }
}
