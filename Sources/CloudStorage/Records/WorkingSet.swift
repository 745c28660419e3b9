import CloudCore
import SQLCore

/// What one `records/modify` knows of the rows of its zone: as the database has them, and as they will be written.
///
/// Rows are read in bulk before the operations run, or one by one when an operation asks for more. Changes stay in
/// memory, where later operations see them, until ``write(index:schema:at:)`` sends all of them.
final class WorkingSet {
    private struct Slot {
        let row: Int64
        let name: String
        /// As the database has it; `nil` for a row that is not there yet.
        let stored: StoredRecord?
        /// As it will be; `nil` for a tombstone.
        var record: Record?
        /// The references of `record`.
        var references: Set<ReferenceEntry>
        var typeID: Int64
        var sequence: Int64
        var isChanged = false
    }

    struct Target: Hashable {
        let name: ExactName
        let kind: ReferenceKind
    }

    private let table: RecordTable
    private let memory: BatchMemory
    private let zonePlace: BatchMemory.ZonePlace
    private var slots: [Slot] = []
    /// Places in `slots`; `nil` for a name that has no row.
    private var places: [ExactName: Int?] = [:]
    private var placesByRow: [Int64: Int] = [:]
    private var changed: [Int] = []
    /// Bytes by which the records that were written, and the files they hold, are more than those that were there.
    private(set) var growth: Int64 = 0
    /// Rows that refer to a target, of the targets asked for, as they will be.
    private var sources: [Target: Set<Int64>] = [:]
    /// Changes of the rows that refer to a target, to be applied when that target is asked for.
    private var sourceChanges: [Target: [Int64: Bool]] = [:]

    /// - Parameter memory: What was read ahead of the zone's records; it is told of those that are written.
    init(_ table: RecordTable, _ memory: BatchMemory) {
        self.table = table
        self.memory = memory
        zonePlace = .init(database: table.database, zone: table.zone.row)
    }

    private var connection: any SQLConnection { table.connection }

    // MARK: Reading

    /// Reads the rows of names and the rows that refer to targets, in one journey each.
    func load(_ names: Set<ExactName>, _ targets: Set<Target>) throws {
        let names = names.filter { places[$0] == nil }
        places.reserveCapacity(places.count + names.count)
        var unread: [String] = []
        for name in names {
            places[name] = .some(nil)
            switch memory.record(name, of: zonePlace) {
            case .row(let row)?: keep(try table.read(row))
            case .noRow?: break
            case nil: unread.append(name.text)
            }
        }
        try table.rows(named: unread) { keep($0) }
        // As no record has a NUL in its name, nothing can rest on one.
        let targets = targets.filter { sources[$0] == nil && !$0.name.text.utf8.contains(0) }
        guard !targets.isEmpty else { return }
        let order = Array(targets)
        var found = [Set<Int64>](repeating: [], count: order.count)
        try connection.query(
            "SELECT source FROM reference WHERE db = ?1 AND zone = ?2 AND target = ?3 AND kind = ?4",
            each: order.map {
                [
                    .integer(table.database), .integer(table.zone.row), .text($0.name.text),
                    .integer($0.kind.rawValue),
                ]
            }
        ) { found[$0].insert($1.integer(0)) }
        for (target, rows) in zip(order, found) {
            var rows = rows
            for (row, isAdded) in sourceChanges[target] ?? [:] {
                if isAdded { rows.insert(row) } else { rows.remove(row) }
            }
            sources[target] = rows
        }
    }

    private func keep(_ stored: StoredRecord) {
        let name = ExactName(stored.record.id.name)
        placesByRow[stored.row] = slots.count
        places[name] = slots.count
        slots.append(
            Slot(
                row: stored.row, name: name.text, stored: stored, record: stored.isDeleted ? nil : stored.record,
                references: stored.isDeleted ? [] : ReferenceEntry.entries(of: stored.record), typeID: stored.typeID,
                sequence: stored.sequence))
    }

    private func place(_ name: ExactName) throws -> Int? {
        if let known = places[name] { return known }
        try load([name], [])
        return places[name] ?? nil
    }

    func record(named name: String) throws -> Record? { try place(ExactName(name)).flatMap { slots[$0].record } }

    func record(row: Int64) throws -> Record? {
        if let known = placesByRow[row] { return slots[known].record }
        guard let stored = try table.row(id: row) else { return nil }
        keep(stored)
        return stored.isDeleted ? nil : stored.record
    }

    /// The number of the row that has this name, also if it is yet to be written.
    func row(named name: String) throws -> Int64? { try place(ExactName(name)).map { slots[$0].row } }

    /// The records of rows, read in one journey; rows without a record are left out.
    func records(rows: [Int64]) throws -> [Record] {
        try table.rows(ids: rows.filter { placesByRow[$0] == nil }) { keep($0) }
        return rows.compactMap { placesByRow[$0].flatMap { slots[$0].record } }
    }

    /// Whether the request makes the record, be it over a tombstone.
    func isNew(_ row: Int64) -> Bool { placesByRow[row].map { slots[$0].stored?.isDeleted ?? true } ?? false }

    /// The rows that change, in the order of their first change.
    var changes: [SharedTree.Change] {
        changed.map { slots[$0] }.map { slot in
            SharedTree.Change(
                row: slot.row, name: slot.name, old: slot.stored.flatMap { $0.isDeleted ? nil : $0.record },
                new: slot.record, sequence: slot.sequence)
        }
    }

    /// Rows of the records that refer to `target` in this way, in rising order.
    func sources(of target: String, kind: ReferenceKind) throws -> [Int64] {
        let target = Target(name: ExactName(target), kind: kind)
        try load([], [target])
        return (sources[target] ?? []).sorted()
    }

    // MARK: Changing

    /// Keeps the record under its number, over what has its name.
    func save(_ record: Record, _ references: Set<ReferenceEntry>, typeID: Int64, sequence: Int64) throws {
        let name = ExactName(record.id.name)
        if let place = try place(name) {
            slots[place].typeID = typeID
            change(place, to: record, references, sequence: sequence)
            return
        }
        let row = RecordTable.rowNumber(database: table.database, sequence: sequence)
        places[name] = slots.count
        placesByRow[row] = slots.count
        slots.append(
            Slot(
                row: row, name: name.text, stored: nil, record: nil, references: [], typeID: typeID, sequence: sequence)
        )
        change(slots.count - 1, to: record, references, sequence: sequence)
    }

    /// Makes a tombstone of a record that was read or saved here.
    func bury(_ name: String, sequence: Int64) throws {
        if let place = try place(ExactName(name)) { change(place, to: nil, [], sequence: sequence) }
    }

    private func change(_ place: Int, to record: Record?, _ references: Set<ReferenceEntry>, sequence: Int64) {
        let (row, before) = (slots[place].row, slots[place].references)
        if !before.isEmpty || !references.isEmpty {
            for entry in before.subtracting(references) { note(row, entry, isAdded: false) }
            for entry in references.subtracting(before) { note(row, entry, isAdded: true) }
        }
        slots[place].record = record
        slots[place].references = references
        slots[place].sequence = sequence
        if !slots[place].isChanged {
            slots[place].isChanged = true
            changed.append(place)
        }
    }

    private func note(_ row: Int64, _ entry: ReferenceEntry, isAdded: Bool) {
        let target = Target(name: entry.target, kind: entry.kind)
        if sources[target] == nil {
            sourceChanges[target, default: [:]][row] = isAdded
        } else if isAdded {
            sources[target]?.insert(row)
        } else {
            sources[target]?.remove(row)
        }
    }

    // MARK: Writing

    /// Writes what changed: the records, then their index entries and references, each as far as they differ.
    /// - Parameter now: Milliseconds since 1970.
    /// - Returns: The number of new rows.
    func write(index: RecordIndexes, schema: SchemaSession, at now: Int64) throws -> Int {
        var rows = ChangedRows(database: table.database, zone: table.zone.row)
        rows.reserve(changed.count)
        for (number, place) in changed.enumerated() {
            let slot = slots[place]
            memory.forgetRecord(ExactName(slot.name), of: zonePlace)
            let content = slot.record.map { RecordCodec.encode(.init($0)) } ?? []
            growth += Int64(content.count - (slot.stored?.bytes ?? 0))
            rows.add(
                slot.row, slot.name, slot.typeID, slot.sequence, isDeleted: slot.record == nil, content,
                isNew: slot.stored == nil)
            // The database works on these while the next are encoded.
            if (number + 1).isMultiple(of: CommitConnection.rowsAhead) { try rows.sendRecords(on: connection) }
        }
        try rows.sendRecords(on: connection)
        for place in changed { try add(slots[place], to: &rows, index, schema, at: now) }
        try rows.sendEntries(on: connection)
        return rows.added
    }

    /// Adds what goes with a record in other tables, as far as it changes.
    private func add(
        _ slot: Slot, to rows: inout ChangedRows, _ index: RecordIndexes, _ schema: SchemaSession, at now: Int64
    ) throws {
        let old = slot.stored.flatMap { $0.isDeleted ? nil : $0.record }
        let before = try old.map { try entries(of: $0, slot.stored?.sequence ?? 0, index, schema) } ?? []
        let after = try slot.record.map { try entries(of: $0, slot.sequence, index, schema) } ?? []
        if before.isEmpty {
            for entry in after { rows.add(entry, of: slot.row) }
        } else {
            let (kept, wanted) = (Set(before), Set(after))
            for entry in kept.subtracting(wanted) { rows.remove(entry, of: slot.row) }
            for entry in wanted.subtracting(kept) { rows.add(entry, of: slot.row) }
        }
        let referred = old.map(ReferenceEntry.entries) ?? []
        if referred != slot.references {
            for entry in referred.subtracting(slot.references) { rows.remove(entry, of: slot.row) }
            for entry in slot.references.subtracting(referred) { rows.add(entry, of: slot.row) }
        }
        let held = old.map(AssetEntry.entries) ?? []
        let holds = slot.record.map(AssetEntry.entries) ?? []
        if held != holds {
            for entry in held.subtracting(holds) {
                growth -= entry.size
                try entry.remove(table.database, table.zone.row, slot.row, at: now, on: connection)
            }
            for entry in holds.subtracting(held) {
                growth += entry.size
                rows.add(entry, of: slot.row)
            }
        }
    }

    private func entries(
        of record: Record, _ sequence: Int64, _ index: RecordIndexes, _ schema: SchemaSession
    ) throws -> [IndexEntry] {
        guard !index.isEmpty, let type = try schema.type(named: record.type) else { return [] }
        return index.entries(of: record, changed: sequence, schema: type)
    }
}
