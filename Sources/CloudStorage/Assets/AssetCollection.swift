import CloudCore
import SQLCore

extension CloudTransaction {
    /// Ends receipts that have expired long ago and lists their files among those let go of.
    /// - Parameter grace: Milliseconds by which the clocks of several processes may differ.
    /// - Returns: Their number; more may be left when it is `limit`.
    func endReceipts(grace: Int64, limit: Int) throws -> Int {
        var expired: [(db: Int64, receipt: [UInt8], content: [UInt8])] = []
        try connection.query(
            "SELECT db, receipt, content FROM asset_receipt WHERE expires <= ?1 ORDER BY expires LIMIT ?2",
            [.integer(now - grace), .integer(Int64(limit))]
        ) { row in
            expired.append((row.integer(0), row.blob(1), row.blob(2)))
            return true
        }
        // In one order wherever it runs: two processes do not wait for each other in a ring.
        for entry in expired.sorted(by: { ($0.db, 0) < ($1.db, 0) || $0.db == $1.db && less($0.receipt, $1.receipt) }) {
            try connection.post(
                "DELETE FROM asset_receipt WHERE db = ?1 AND receipt = ?2", .integer(entry.db), .blob(entry.receipt))
            try AssetEntry.release(entry.content, entry.db, at: now, on: connection)
        }
        return expired.count
    }

    /// Looks at files that somebody let go of long enough ago, and forgets those that no record holds and no receipt claims.
    ///
    /// Safe beside saves, uploads and other collections, of any process: the row of a file is locked, and only then does
    /// one statement, so with one view of all, look for records and receipts. Whatever came before the lock is seen. What
    /// comes later needs a receipt or a record that is there already, or locks the row itself.
    /// - Returns: The files to remove once this is committed, and whether more is left to look at.
    func collectAssets(limit: Int) throws -> (files: [AssetFileName], hasMore: Bool) {
        var released: [(db: Int64, content: [UInt8], turn: Int64)] = []
        try connection.query(
            "SELECT db, content, turn FROM asset_release WHERE since <= ?1 ORDER BY since LIMIT ?2",
            [.integer(now - Int64(limits.assetRetentionSeconds) * 1000), .integer(Int64(limit))]
        ) { row in
            released.append((row.integer(0), row.blob(1), row.integer(2)))
            return true
        }
        var files: [AssetFileName] = []
        for content in Set(released.map(\.content)).sorted(by: less) {
            let suffix = try connection.first(
                "SELECT suffix FROM asset_file WHERE content = ?1 \(connection.dialect.lock)", .blob(content)
            ) { $0.text(0) }
            guard let suffix, try !isInUse(content) else { continue }
            try connection.post("DELETE FROM asset_file WHERE content = ?1", .blob(content))
            files.append(AssetFileName(content: content, suffix: suffix))
        }
        for entry in released {
            try connection.post(
                "DELETE FROM asset_release WHERE db = ?1 AND content = ?2 AND turn = ?3", .integer(entry.db),
                .blob(entry.content), .integer(entry.turn))
        }
        return (files, released.count == limit)
    }

    private func isInUse(_ content: [UInt8]) throws -> Bool {
        try connection.first(
            """
            SELECT CASE WHEN EXISTS (SELECT 1 FROM asset_reference WHERE content = ?1)
                OR EXISTS (SELECT 1 FROM asset_receipt WHERE content = ?1) THEN 1 ELSE 0 END
            """, .blob(content)
        ) { $0.integer(0) != 0 } ?? true
    }

    /// Which of these files the store knows.
    func known(_ names: [AssetFileName]) throws -> Set<AssetFileName> {
        var known: Set<AssetFileName> = []
        try connection.query(
            "SELECT suffix FROM asset_file WHERE content = ?1", each: names.map { [.blob($0.content)] }
        ) { position, row in
            if row.text(0) == names[position].suffix { known.insert(names[position]) }
        }
        return known
    }

    /// The files after one in the order of their contents, with their sizes.
    func assetFiles(after content: [UInt8], limit: Int) throws -> [(name: AssetFileName, size: Int64)] {
        var files: [(AssetFileName, Int64)] = []
        try connection.query(
            "SELECT content, suffix, size FROM asset_file WHERE content > ?1 ORDER BY content LIMIT ?2",
            [.blob(content), .integer(Int64(limit))]
        ) { row in
            files.append((AssetFileName(content: row.blob(0), suffix: row.text(1)), row.integer(2)))
            return true
        }
        return files
    }

    private func less(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}

extension CloudStore {
    /// Compares the files that the store knows with those in the folder.
    /// - Returns: What does not agree, in words; empty when all is well.
    package func verifyAssets(in folder: AssetFolder) async throws -> [String] {
        var problems: [String] = []
        var last: [UInt8] = []
        while true {
            let files = try await read { [last] in try $0.assetFiles(after: last, limit: 500) }
            guard let end = files.last else { return problems }
            last = end.name.content
            for (name, size) in files {
                switch folder.size(of: name) {
                case nil: problems.append("the file of asset \(name.text) is missing")
                case let found? where found != size:
                    problems.append("the file of asset \(name.text) has \(found) bytes and not \(size)")
                default: break
                }
            }
        }
    }
}
