import CloudCore

/// The stored form of a query: in subscriptions, and as what a continuation marker is bound to.
enum QueryCodec {
    static func write(_ query: RecordQuery, to writer: inout ByteWriter) {
        writer.text(query.recordType)
        writer.varint(UInt64(query.filters.count))
        for filter in query.filters {
            write(filter.field, to: &writer)
            writer.text(filter.comparator.rawValue)
            writer.byte(filter.isTyped ? 1 : 0)
            RecordCodec.write(filter.value, to: &writer)
            if filter.comparator == .near { writer.fixed((filter.distance ?? -1).bitPattern) }
        }
        writer.varint(UInt64(query.sorts.count))
        for sort in query.sorts {
            write(sort.field, to: &writer)
            writer.byte((sort.ascending ? 1 : 0) | (sort.relativeLocation == nil ? 0 : 2))
            if let place = sort.relativeLocation { RecordCodec.write(.location(place), to: &writer) }
        }
    }

    static func read(from reader: inout ByteReader) throws -> RecordQuery {
        var query = RecordQuery(recordType: try reader.text())
        for _ in 0..<(try reader.count()) {
            let field = try field(from: &reader)
            guard let comparator = Comparator(rawValue: try reader.text()) else { throw ByteReader.Malformed() }
            let isTyped = try reader.byte() == 1
            let value = try RecordCodec.value(from: &reader)
            let distance = comparator == .near ? Double(bitPattern: try reader.fixed()) : nil
            query.filters.append(
                QueryFilter(
                    field: field, comparator: comparator, value: value, isTyped: isTyped,
                    distance: distance.flatMap { $0 < 0 ? nil : $0 }))
        }
        for _ in 0..<(try reader.count()) {
            let field = try field(from: &reader)
            let flags = try reader.byte()
            var sort = QuerySort(field: field, ascending: flags & 1 != 0)
            if flags & 2 != 0 {
                guard case .location(let place) = try RecordCodec.value(from: &reader) else {
                    throw ByteReader.Malformed()
                }
                sort.relativeLocation = place
            }
            query.sorts.append(sort)
        }
        return query
    }

    private static func write(_ field: QueryField, to writer: inout ByteWriter) {
        switch field {
        case .user: writer.byte(0)
        case .system: writer.byte(1)
        case .text: writer.byte(2)
        }
        writer.text(field.name)
    }

    private static func field(from reader: inout ByteReader) throws -> QueryField {
        let kind = try reader.byte()
        let name = try reader.text()
        if kind == 2 { return .text }
        guard kind == 1 else { return .user(name) }
        guard let field = SystemField(rawValue: name) else { throw ByteReader.Malformed() }
        return .system(field)
    }
}
