import CloudCore

/// The rows whose tree a request may change, with their parents as the request leaves them.
struct TreePlan {
    /// By row.
    private(set) var changes: [Int64: SharedTree.Change] = [:]
    private(set) var parents: [Int64: Int64] = [:]
    /// Rows in the order in which they are told.
    private(set) var order: [Int64] = []
    /// Rows whose children are to be read.
    var frontier: [(row: Int64, name: String)] = []
    /// The share of each root.
    private var roots: [Int64: Int64] = [:]
    /// Rows of share records, which are in their own tree.
    private(set) var shareRecords: Set<Int64> = []
    /// The record types of rows that are no changes.
    var types: [Int64: String] = [:]
    private var listed: Set<Int64> = []
    /// Rows whose tree follows from their parent's.
    private var moving: Set<Int64> = []
    private var settled: [Int64: Int64?] = [:]

    init(changes list: [SharedTree.Change], parents: [Int64: Int64]) {
        for change in list {
            changes[change.row] = change
            if change.isMove {
                move(change.row, name: change.name, parent: parents[change.row])
            } else {
                note(change.row)
            }
        }
    }

    mutating func add(share: Int64, root: Int64) {
        roots[root] = share
        shareRecords.insert(share)
    }

    private mutating func note(_ row: Int64) {
        if listed.insert(row).inserted { order.append(row) }
    }

    /// Adds a row that may be in another tree now, as may all below it.
    mutating func move(_ row: Int64, name: String, parent: Int64?) {
        guard moving.insert(row).inserted else { return }
        note(row)
        parents[row] = parent
        frontier.append((row, name))
    }

    /// Adds a row below one that moved, whose own children are added as well.
    mutating func add(_ child: SharedTree.Child) {
        guard moving.insert(child.row).inserted else { return }
        note(child.row)
        parents[child.row] = child.parent
        types[child.row] = child.type
    }

    /// The share whose tree the row is in now: that of the nearest root above it, or of itself.
    mutating func share(of row: Int64, _ memberships: TreeMemberships, ended: Set<Int64>) -> Int64? {
        var path: [Int64] = []
        var seen: Set<Int64> = []
        var place = row
        var result: Int64?
        while true {
            if let known = settled[place] {
                result = known
                break
            }
            // Rows that are their own ancestors have no root.
            guard seen.insert(place).inserted else { break }
            path.append(place)
            if let change = changes[place], change.new == nil { break }
            if shareRecords.contains(place) {
                result = place
                break
            }
            if let own = roots[place] {
                result = own
                break
            }
            guard moving.contains(place) else {
                result = memberships.share(of: place).flatMap { ended.contains($0) ? nil : $0 }
                break
            }
            guard let parent = parents[place] else { break }
            place = parent
        }
        for place in path { settled[place] = .some(result) }
        return result
    }
}

/// The rows of `shared_record` that a request has read.
struct TreeMemberships {
    /// By record: the shares that have a row of it, with its state.
    private var rows: [Int64: [Int64: Int64]] = [:]
    /// The shares that have a record now.
    private(set) var shares: Set<Int64> = []

    var hasAny: Bool { !shares.isEmpty }

    /// Those of the rows that were not read yet, each once; they count as read.
    mutating func missing(_ wanted: some Sequence<Int64>) -> [Int64] {
        var missing: [Int64] = []
        for row in wanted where rows[row] == nil {
            rows[row] = [:]
            missing.append(row)
        }
        return missing
    }

    mutating func add(share: Int64, gone: Int64, of row: Int64) {
        rows[row, default: [:]][share] = gone
        if gone == 0 { shares.insert(share) }
    }

    func share(of row: Int64) -> Int64? { rows[row]?.first { $0.value == 0 }?.key }

    func has(_ row: Int64, share: Int64) -> Bool { rows[row]?[share] != nil }
}
