import CloudCore
import SQLCore

/// Collects one page of a zone's changes, from one or more feeds.
struct FeedReader {
    /// What is read in the order of its numbers.
    enum Feed {
        /// Everything in the zone. Deletions up to the number `knownSince` are left out: the client never had the record.
        case zone(knownSince: Int64)
        /// What is in the tree of a share, likewise.
        case tree(share: Int64, knownSince: Int64)
        /// What a client that has read a tree up to the number `known` still has of it: all is told as deleted.
        case lost(share: Int64, known: Int64)
    }

    private enum Entry { case live, deleted, unknown }

    private let transaction: CloudTransaction
    private let table: RecordTable
    private let trees: [Int64: ZoneAccess.Tree]?
    private let limit: Int
    let isReverse: Bool
    private let wanted: Set<String>?
    /// Rows that one page examines, wanted or not.
    private let bound: Int
    private var read = 0
    private(set) var changes: [ZoneChangesPage.Change] = []

    init(
        _ transaction: CloudTransaction, _ access: ZoneAccess, _ schema: SchemaSession, limit: Int, isReverse: Bool,
        recordTypes: Set<String>?, viewer: ShareViewer?
    ) {
        self.transaction = transaction
        table = RecordTable(
            connection: transaction.connection, schema: schema, database: access.database.row, zone: access.zone,
            viewer: viewer)
        trees = access.trees
        self.limit = limit
        self.isReverse = isReverse
        wanted = recordTypes
        bound = max(limit, 2000)
    }

    private var isFull: Bool { changes.count >= limit || read >= bound || transaction.isAnswerFull }

    /// Reads on behind `number`, which goes along.
    /// - Returns: Whether the feed is at its end; else the page is full.
    mutating func read(_ feed: Feed, from number: inout Int64) throws -> Bool {
        try table.schema.load()
        // No more at a time than the page has room for: a database may hand over all rows before the first is looked at.
        while true {
            let room = limit - changes.count + 1
            var rows = 0
            var isCut = false
            let (statement, place) = statement(feed)
            try transaction.connection.query(
                statement, [.integer(table.database), .integer(place), .integer(number), .integer(Int64(room))]
            ) { row in
                guard !isFull else {
                    isCut = true
                    return false
                }
                read += 1
                rows += 1
                number = row.integer(6)
                try take(row, feed)
                return true
            }
            if isCut { return false }
            if rows < room { return true }
        }
    }

    private func statement(_ feed: Feed) -> (String, place: Int64) {
        let (compared, order) = isReverse ? ("<", "DESC") : (">", "ASC")
        switch feed {
        case .zone:
            return (
                """
                SELECT \(RecordTable.qualifiedColumns), r.seq, r.deleted, r.seq FROM record r
                WHERE r.db = ?1 AND r.zone = ?2 AND r.seq \(compared) ?3 ORDER BY r.seq \(order) LIMIT ?4
                """, table.zone.row
            )
        case .tree(let share, _), .lost(let share, _):
            return (
                """
                SELECT \(RecordTable.qualifiedColumns), s.seq, s.gone, s.entered, o.share
                FROM shared_record s JOIN record r ON r.db = s.db AND r.id = s.record
                LEFT JOIN shared_record o ON o.db = s.db AND o.record = s.record AND o.gone = 0
                WHERE s.db = ?1 AND s.share = ?2 AND s.seq \(compared) ?3 ORDER BY s.seq \(order) LIMIT ?4
                """, share
            )
        }
    }

    /// Whether the record is in another tree that is seen: there it has a new number, and is told as it is.
    private func isElsewhere(_ row: any SQLRow) -> Bool { !row.isNull(9) && trees?[row.integer(9)] != nil }

    private func entry(_ row: any SQLRow, _ feed: Feed) -> Entry {
        let (number, state, entered) = (row.integer(6), row.integer(7), row.integer(8))
        switch feed {
        case .zone(let since):
            if state == 0 { return .live }
            return number > since ? .deleted : .unknown
        case .tree(_, let since):
            if state == 0 { return .live }
            return number > since && !isElsewhere(row) ? .deleted : .unknown
        case .lost(_, let known):
            if isElsewhere(row) { return .unknown }
            // What changed since was there before only if it had entered the tree before.
            if number > known { return entered <= known ? .deleted : .unknown }
            return state == TreeWriter.State.gone.rawValue ? .unknown : .deleted
        }
    }

    private mutating func take(_ row: any SQLRow, _ feed: Feed) throws {
        let type = try table.schema.typeName(row.integer(2))
        switch entry(row, feed) {
        case .unknown: return
        case .deleted:
            changes.append(.deleted(RecordID(name: row.text(1), zone: table.zone.id), recordType: type))
        case .live:
            guard wanted?.contains(type) != false else { return }
            var stored = try table.read(row)
            if case .tree(let share, _) = feed, let tree = trees?[share] { stored = stored.shown(in: tree) }
            transaction.answered(stored.bytes)
            changes.append(.record(stored.record))
        }
    }
}
