import CloudCore

extension RecordQuery {
    init(_ json: JSONReader) throws(WireError) {
        var type: String?
        var filters: [QueryFilter] = []
        var sorts: [QuerySort] = []
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "recordType": type = try value.nonEmpty()
            case "filterBy": for filter in try value.oneOrMore() { filters.append(try QueryFilter(filter)) }
            case "sortBy": for sort in try value.oneOrMore() { sorts.append(try QuerySort(sort)) }
            default: break
            }
        }
        guard let type else { throw json.missing("recordType") }
        self.init(recordType: type, filters: filters, sorts: sorts)
    }
}

extension QueryField {
    /// The field a filter or sort names; `systemFieldName` wins.
    init(of json: JSONReader) throws(WireError) {
        if let name = try json.member("systemFieldName") {
            guard let field = SystemField(rawValue: try name.string()) else {
                throw name.failure("Unexpected input: unknown system field '\(try name.string())'")
            }
            self = .system(field)
        } else {
            let name = try json.required("fieldName")
            let text = try name.nonEmpty()
            guard text.hasPrefix("___") else {
                self = .user(text)
                return
            }
            guard let field = SystemField.allCases.first(where: { $0.schemaName == text }) else {
                throw name.failure("Unexpected input: unknown system field '\(text)'")
            }
            self = .system(field)
        }
    }

    /// Whether values of the field are pointers by name, so that plain strings are read as such.
    var isReference: Bool {
        switch self {
        case .system(.recordName), .system(.createdUserRecordName), .system(.modifiedUserRecordName),
            .system(.parent), .system(.share):
            true
        default: false
        }
    }
}

extension QueryFilter {
    init(_ json: JSONReader) throws(WireError) {
        var comparator = Comparator.equals
        if let named = try json.member("comparator") { comparator = try Comparator(named) }
        let distance = try json.member("distance")
        if let distance, comparator != .near {
            throw distance.failure("Unexpected input: a distance belongs to NEAR, not to \(comparator.rawValue)")
        }
        let seeksTokens = comparator == .containsAllTokens || comparator == .containsAnyTokens
        let isNamed = try json.either("systemFieldName", "fieldName") != nil
        let field = seeksTokens && !isNamed ? QueryField.text : try QueryField(of: json)
        let given = try json.required("fieldValue")
        let draft = try FieldDraft(name: field.name, given)
        guard let value = draft.value else { throw given.missing("value") }
        if field.isReference, comparator != .beginsWith, comparator != .notBeginsWith {
            self.init(field: field, comparator: comparator, value: value.namingRecords, isTyped: true)
        } else {
            self.init(
                field: field, comparator: comparator, value: value, isTyped: draft.isTyped,
                distance: try distance?.doubleOrText())
        }
    }
}

extension FieldValue {
    /// Record names as references to them.
    fileprivate var namingRecords: FieldValue {
        switch self {
        case .string(let name): .reference(Reference(recordName: name))
        case .list(_, let elements): .list(.reference, elements.map(\.namingRecords))
        default: self
        }
    }
}

extension Comparator {
    init(_ json: JSONReader) throws(WireError) {
        let name = try json.string()
        if let comparator = Comparator(rawValue: name) {
            self = comparator
            return
        }
        switch name {
        case "CONTAINS_ANY": self = .listContainsAny
        default: throw json.failure("Unexpected input: unknown comparator '\(name)'")
        }
    }
}

extension QuerySort {
    init(_ json: JSONReader) throws(WireError) {
        // A field value or the bare place.
        let given = try json.member("relativeLocation")
        let place = try given?.member("value") ?? given
        self.init(
            field: try QueryField(of: json), ascending: try json.member("ascending")?.bool() ?? true,
            relativeLocation: try place.map { place throws(WireError) in try Location(place) })
    }
}

// MARK: - Writing

extension JSONWriter {
    mutating func query(_ query: RecordQuery) {
        object {
            $0.member("recordType", query.recordType)
            if !query.filters.isEmpty {
                $0.member("filterBy", array: query.filters) { json, filter in
                    json.object {
                        $0.name(of: filter.field)
                        $0.member("comparator", filter.comparator.rawValue)
                        $0.key("fieldValue")
                        $0.field(filter.value, typed: filter.isTyped)
                        if let distance = filter.distance {
                            $0.key("distance")
                            $0.double(distance)
                        }
                    }
                }
            }
            if !query.sorts.isEmpty {
                $0.member("sortBy", array: query.sorts) { json, sort in
                    json.object {
                        $0.name(of: sort.field)
                        $0.member("ascending", sort.ascending)
                        if let place = sort.relativeLocation {
                            $0.key("relativeLocation")
                            $0.field(.location(place))
                        }
                    }
                }
            }
        }
    }

    private mutating func name(of field: QueryField) {
        switch field {
        case .user(let name): member("fieldName", name)
        case .system(let field): member("systemFieldName", field.rawValue)
        case .text: break
        }
    }
}
