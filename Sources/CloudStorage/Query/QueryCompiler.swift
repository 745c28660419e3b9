import CloudCore

/// Checks a query against the schema: fields known, values of the field's type, comparators that fit.
struct QueryCompiler {
    let limits: CloudLimits
    let schema: RecordTypeSchema
    /// A subscription may name fields that no record has yet; such filters go by the type of their value.
    var allowsUnknownFields = false

    func matcher(_ filters: [QueryFilter]) throws -> FilterMatcher {
        FilterMatcher(filters: try filters.map(compile))
    }

    private func type(of field: QueryField) -> FieldType? {
        switch field {
        case .system(.recordName): .scalar(.string)
        case .system(.createdTimestamp), .system(.modifiedTimestamp): .scalar(.timestamp)
        case .system: .scalar(.reference)
        case .user(let name): schema.fields[name]?.type
        case .text: .scalar(.string)
        }
    }

    private func compile(_ filter: QueryFilter) throws -> FilterMatcher.Filter {
        let name = filter.field.name
        guard let type = type(of: filter.field) ?? (allowsUnknownFields ? assumedType(filter) : nil) else {
            throw unknown(name)
        }
        if filter.comparator.seeksTokens { return try tokenFilter(filter, type) }
        if filter.comparator == .near { return try nearFilter(filter, type) }
        if filter.field == .text { throw refusal("the filter \(filter.comparator.rawValue) needs a fieldName") }
        let element: ScalarType
        switch (type, filter.comparator.takesListField) {
        case (.scalar(let scalar), false): element = scalar
        case (.list(let scalar), true): element = scalar
        case (.unknownList, true):
            return .init(
                field: filter.field, comparator: filter.comparator, values: scalars(filter.value), fieldType: type)
        default:
            throw unfit(filter, type)
        }
        if element == .bytes || element == .asset { throw unfit(filter, type) }
        let isPrefix = filter.comparator.isPrefix
        let hasOrder = element != .reference && element != .location
        if isPrefix && element != .string || filter.comparator.isRange && !hasOrder { throw unfit(filter, type) }
        let values = try values(filter, element: element, type: type)
        return .init(field: filter.field, comparator: filter.comparator, values: values, fieldType: type)
    }

    private func values(_ filter: QueryFilter, element: ScalarType, type: FieldType) throws -> [FieldValue] {
        let wanted: FieldType = filter.comparator.takesListValue ? .list(element) : .scalar(element)
        func fit(_ value: FieldValue) throws -> FieldValue {
            if case .system = filter.field, let system = systemValue(value, element) { return system }
            if let fitting = value.conformed(to: .scalar(element), isTyped: filter.isTyped) {
                if case .location(let place) = fitting, let violation = place.violation {
                    throw refusal("the value for field '\(filter.field.name)' \(violation)")
                }
                if case .double(let number) = fitting, !number.isFinite {
                    throw refusal("the value for field '\(filter.field.name)' is \(number), which is not a number")
                }
                return fitting
            }
            throw mismatch(filter, type, value.type)
        }
        if filter.comparator.takesListValue {
            guard case .list(_, let values) = filter.value else { throw mismatch(filter, wanted, filter.value.type) }
            guard values.count <= limits.valuesPerFilter else {
                throw CloudError(
                    .badRequest,
                    "\(values.count) values in the \(filter.comparator.rawValue) filter of field "
                        + "'\(filter.field.name)'; at most \(limits.valuesPerFilter) are allowed", nativeCode: 27)
            }
            if let first = values.first, let other = values.first(where: { $0.type != first.type }) {
                throw refusal(
                    "the \(filter.comparator.rawValue) filter of field '\(filter.field.name)' mixes values of type "
                        + "\(first.type.wireName) and \(other.type.wireName)")
            }
            return try values.map(fit)
        }
        if case .list = filter.value { throw mismatch(filter, wanted, filter.value.type) }
        return [try fit(filter.value)]
    }

    /// Record names and users may be given as text or as a reference.
    private func systemValue(_ value: FieldValue, _ element: ScalarType) -> FieldValue? {
        switch (value, element) {
        case (.reference(let reference), .string): .string(reference.recordName)
        case (.string(let name), .reference): .reference(Reference(recordName: name))
        default: nil
        }
    }

    func mismatch(_ filter: QueryFilter, _ type: FieldType, _ given: FieldType) -> CloudError {
        refusal(
            "Field '\(filter.field.name)' has a value type of \(type.wireName); filter \(filter.comparator.rawValue) "
                + "was given \(given.wireName)")
    }

    private func scalars(_ value: FieldValue) -> [FieldValue] {
        if case .list(_, let values) = value { values } else { [value] }
    }

    private func assumedType(_ filter: QueryFilter) -> FieldType? {
        if filter.comparator.seeksTokens || filter.comparator == .near { return filter.value.type }
        guard case .scalar(let scalar)? = scalars(filter.value).first?.type else { return .unknownList }
        return filter.comparator.takesListField ? .list(scalar) : .scalar(scalar)
    }

    /// The sort order, each field once; without one, by creation and then by name.
    func sorts(_ sorts: [QuerySort]) throws -> [QuerySort] {
        if sorts.isEmpty {
            return [QuerySort(field: .system(.createdTimestamp)), QuerySort(field: .system(.recordName))]
        }
        var distinct: [QuerySort] = []
        for sort in sorts {
            if distinct.contains(where: { $0.field == sort.field && $0.relativeLocation == sort.relativeLocation }) {
                continue
            }
            distinct.append(sort)
            guard let type = type(of: sort.field) else {
                throw unknown(sort.field.name)
            }
            if let place = sort.relativeLocation {
                try checkDistanceSort(sort, type, place)
                continue
            }
            if type == .scalar(.location) {
                throw refusal(
                    "Field '\(sort.field.name)' is not marked sortable: a LOCATION sorts by its distance from a "
                        + "relativeLocation, and none was given")
            }
            switch type {
            case .scalar(.string), .scalar(.int64), .scalar(.double), .scalar(.timestamp): break
            default: throw refusal("Field '\(sort.field.name)' is not marked sortable: its type is \(type.wireName)")
            }
        }
        return distinct
    }

    func unknown(_ field: String) -> CloudError {
        refusal("Unknown field '\(field)' of type '\(schema.name)': no record was ever saved with it")
    }

    /// The comparator is not for fields of that type.
    func unfit(_ filter: QueryFilter, _ type: FieldType) -> CloudError {
        refusal(
            "Field '\(filter.field.name)' has a value type of \(type.wireName) and cannot be queried using filter type "
                + filter.comparator.rawValue)
    }

    func refusal(_ reason: String) -> CloudError { CloudError(.badRequest, reason, nativeCode: 12) }
}

extension Comparator {
    var takesListField: Bool {
        switch self {
        case .listContains, .notListContains, .listContainsAny, .notListContainsAny, .listContainsAll,
            .notListContainsAll, .listMemberBeginsWith, .notListMemberBeginsWith:
            true
        default: false
        }
    }

    var takesListValue: Bool {
        switch self {
        case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll, .notListContainsAll: true
        default: false
        }
    }

    /// Whether it looks for words.
    var seeksTokens: Bool { self == .containsAllTokens || self == .containsAnyTokens }

    var isPrefix: Bool {
        switch self {
        case .beginsWith, .notBeginsWith, .listMemberBeginsWith, .notListMemberBeginsWith: true
        default: false
        }
    }

    var isRange: Bool {
        switch self {
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals: true
        default: false
        }
    }
}
