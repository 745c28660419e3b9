import SQLCore

extension CloudStore {
    /// Makes a store that was restored from a copy one that no token from after the copy fits.
    ///
    /// Every database gets a new incarnation, so that change tokens of the time after the copy are told to have expired.
    /// Push tokens go on far behind the numbers that their devices may have seen.
    /// - Returns: The number of databases.
    package func renew() async throws -> Int {
        try await write { transaction in
            try transaction.connection.post("UPDATE push_token SET tail = tail + ?1", .integer(Self.skippedPushes))
        }
        var count = 0
        var last: Int64? = 0
        while let from = last {
            let renewed = try await write { try $0.renewDatabases(after: from, limit: 1000) }
            count += renewed.count
            last = renewed.last
        }
        return count
    }

    private static let skippedPushes: Int64 = 1 << 32
}

extension CloudTransaction {
    /// Gives the next databases in the order of their numbers new incarnations.
    /// - Returns: Their numbers.
    fileprivate func renewDatabases(after number: Int64, limit: Int64) throws -> [Int64] {
        var numbers: [Int64] = []
        try connection.query(
            "SELECT id FROM cloud_database WHERE id > ?1 ORDER BY id LIMIT ?2", [.integer(number), .integer(limit)]
        ) { row in
            numbers.append(row.integer(0))
            return true
        }
        for number in numbers {
            try connection.post(
                "UPDATE cloud_database SET incarnation = ?2 WHERE id = ?1", .integer(number),
                .integer(Int64.random(in: 1...Int64.max)))
        }
        return numbers
    }
}
