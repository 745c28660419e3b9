import CloudCore

/// Filters and sorts of the location and the text index.
extension QueryCompiler {
    func nearFilter(_ filter: QueryFilter, _ type: FieldType) throws -> FilterMatcher.Filter {
        guard type == .scalar(.location) else { throw unfit(filter, type) }
        let name = filter.field.name
        guard case .location(let place) = filter.value else { throw mismatch(filter, type, filter.value.type) }
        if let violation = place.violation { throw refusal("the value for field '\(name)' \(violation)") }
        guard let distance = filter.distance else {
            throw refusal("the NEAR filter of field '\(name)' needs a distance, the radius in metres")
        }
        guard distance >= 0, distance.isFinite else {
            throw refusal(
                "the NEAR filter of field '\(name)' has the distance \(distance); a radius is 0 metres or more")
        }
        return FilterMatcher.Filter(
            field: filter.field, comparator: filter.comparator, values: [filter.value], fieldType: type,
            circle: Circle(center: SpherePoint(place), radius: distance))
    }

    func tokenFilter(_ filter: QueryFilter, _ type: FieldType) throws -> FilterMatcher.Filter {
        let name = filter.field.name
        guard [.scalar(.string), .list(.string), .unknownList].contains(type) else { throw unfit(filter, type) }
        if case .system = filter.field { throw unfit(filter, type) }
        guard case .string(let text) = filter.value else { throw mismatch(filter, .scalar(.string), filter.value.type) }
        let words = TextTokens.of(text)
        guard !words.isEmpty else {
            throw refusal("the value of the \(filter.comparator.rawValue) filter of field '\(name)' has no word in it")
        }
        guard words.count <= limits.valuesPerFilter else {
            throw CloudError(
                .badRequest,
                "\(words.count) words in the \(filter.comparator.rawValue) filter of field '\(name)'; at most "
                    + "\(limits.valuesPerFilter) are allowed", nativeCode: 27)
        }
        // The longest first: they are most likely the rarest.
        let order = words.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
        return FilterMatcher.Filter(
            field: filter.field, comparator: filter.comparator, values: [filter.value], fieldType: type, words: order)
    }

    func checkDistanceSort(_ sort: QuerySort, _ type: FieldType, _ place: Location) throws {
        let name = sort.field.name
        guard type == .scalar(.location) else {
            throw refusal("Field '\(name)' cannot be sorted by distance: its type is \(type.wireName), not LOCATION")
        }
        if let violation = place.violation { throw refusal("the relativeLocation for field '\(name)' \(violation)") }
        guard sort.ascending else {
            throw refusal(
                "Field '\(name)' can be sorted by distance only with the nearest first: ascending must be true")
        }
    }
}
