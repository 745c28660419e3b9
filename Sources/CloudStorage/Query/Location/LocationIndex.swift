import CloudCore

/// Places by the cells they are in, each element of a list; those of one smallest cell by the creation of their records.
struct LocationIndex: IndexMaintainer {
    func entries(of record: Record, schema: RecordTypeSchema) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        for (name, value) in record.fields {
            let locations: [Location]
            switch value {
            case .location(let location): locations = [location]
            case .list(.location, let elements):
                locations = elements.compactMap { if case .location(let location) = $0 { location } else { nil } }
            default: continue
            }
            guard let field = schema.fields[name] else { continue }
            let created = IndexKey.key(number: record.created.timestamp)
            for cell in Set(locations.map { GeoCell($0) }) {
                entries.append(IndexEntry(field: field.id, key: GeoCell.key(cell.code) + created))
            }
        }
        return entries
    }
}
