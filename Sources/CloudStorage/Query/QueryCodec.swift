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
        }
        writer.varint(UInt64(query.sorts.count))
        for sort in query.sorts {
            write(sort.field, to: &writer)
            writer.byte(sort.ascending ? 1 : 0)
        }
    }

    static func read(from reader: inout ByteReader) throws -> RecordQuery {
        var query = RecordQuery(recordType: try reader.text())
        for _ in 0..<(try reader.count()) {
            let field = try field(from: &reader)
            guard let comparator = Comparator(rawValue: try reader.text()) else { throw ByteReader.Malformed() }
            let isTyped = try reader.byte() == 1
            let value = try RecordCodec.value(from: &reader)
            query.filters.append(QueryFilter(field: field, comparator: comparator, value: value, isTyped: isTyped))
        }
        for _ in 0..<(try reader.count()) {
            let field = try field(from: &reader)
            query.sorts.append(QuerySort(field: field, ascending: try reader.byte() == 1))
        }
        return query
    }

    private static func write(_ field: QueryField, to writer: inout ByteWriter) {
        if case .system = field { writer.byte(1) } else { writer.byte(0) }
        writer.text(field.name)
    }

    private static func field(from reader: inout ByteReader) throws -> QueryField {
        let isSystem = try reader.byte() == 1
        let name = try reader.text()
        guard isSystem else { return .user(name) }
        guard let field = SystemField(rawValue: name) else { throw ByteReader.Malformed() }
        return .system(field)
    }
}
