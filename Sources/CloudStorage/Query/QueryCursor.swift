/// Walks rows in the order of a key, a batch at a time.
protocol QueryCursor: AnyObject {
    /// The next row, which stays the next.
    func peek() throws -> IndexHit?
    func next() throws -> IndexHit?
    /// Goes on behind every row with the key.
    func skip(_ key: [UInt8])
}

/// A row that an index tells of.
struct IndexHit {
    /// Its place in the order of the index.
    let key: [UInt8]
    /// What orders the rows of one key before their numbers do; empty where nothing does.
    var tie: [UInt8] = IndexKey.absent
    let row: Int64
    let zone: Int
    /// False for a row that was read and is known to be none of the results: a tombstone, a record of another type, one
    /// that lacks a word.
    var isCandidate = true
    /// Entries read to find it.
    var cost = 1
}

extension QueryCursor {
    /// The next rows: as many as there are up to `count`, or as were found by reading `cost` entries.
    func next(_ count: Int, cost: Int) throws -> [IndexHit] {
        var hits: [IndexHit] = []
        var read = 0
        while hits.count < count, read < cost, let hit = try next() {
            read += hit.cost
            hits.append(hit)
        }
        return hits
    }

    /// The next rows with the key of the first of them; no more than `most` and one.
    func run(most: Int) throws -> [IndexHit] {
        var hits: [IndexHit] = []
        while hits.count <= most, let hit = try peek(), hits.isEmpty || hit.key == hits[0].key {
            if let hit = try next() { hits.append(hit) }
        }
        return hits
    }
}

extension Collection<IndexHit> {
    /// Entries read to find them.
    var cost: Int { reduce(0) { $0 + $1.cost } }
}
