import CloudCore
import SQLCore

/// What lies below the records that a request moves or shares, as the database has it, and where all of it is while the
/// request runs.
///
/// Only those records and the new ones, the *turning points*, have another parent than the database says. Each record below
/// one keeps its distance to the nearest turning point above it. So a question takes as many steps as the request has
/// turning points, however deep the trees are, and no record above them is read. What is below is read once, level by level,
/// when the first question comes; it is what ``SharedTree/write(after:)`` needs of it as well.
final class MovedTrees {
    /// A record whose parent the request sets.
    private struct TurningPoint {
        let name: ExactName
        /// Its row, if it is there already or was, so that others may lie below it.
        let row: Int64?
        /// What the operation gives it.
        let parent: String?
        /// The roots of shares below it, down to the next turning points.
        var roots: [Int64] = []
        /// Levels below it, down to the next turning points.
        var height = 0
    }

    /// Where a record lies: below which turning point, and how many levels below.
    private struct Spot {
        let point: Int
        let depth: Int
    }

    private let rows: WorkingSet
    private let tree: SharedTree
    /// The most levels that are read below a record.
    private let limit: Int
    private var points: [TurningPoint] = []
    private var pointsByName: [ExactName: Int] = [:]
    private var spots: [Int64: Spot] = [:]
    private var hasMoves = false
    private var hasNewRoots = false
    private var isLoaded = false
    /// All that was read, from above.
    private(set) var found: [SharedTree.Child] = []
    /// Shares that the request has ended so far.
    var ended: Set<Int64> = []

    init(_ rows: WorkingSet, _ tree: SharedTree, limit: Int) {
        self.rows = rows
        self.tree = tree
        self.limit = limit
    }

    /// Notes what the operations are going to do; their records have been read.
    func note(_ operations: [RecordOperation]) throws {
        for operation in operations where operation.type != .delete && operation.type != .forceDelete {
            if let root = operation.sharing?.root, let row = try rows.row(named: root) {
                hasNewRoots = true
                add(ExactName(root), row, parent: nil)
            }
            guard operation.recordType != Sharing.recordType else { continue }
            let old = try rows.record(named: operation.id.name)
            let keepsFields = operation.type == .update || operation.type == .forceUpdate
            let parent = operation.parent ?? (keepsFields ? old?.parent : nil)
            guard old == nil || old?.parent != parent else { continue }
            let row = try rows.row(named: operation.id.name)
            if row != nil { hasMoves = true }
            add(ExactName(operation.id.name), row, parent: parent)
        }
    }

    private func add(_ name: ExactName, _ row: Int64?, parent: String?) {
        let point = TurningPoint(name: name, row: row, parent: parent)
        if let known = pointsByName[name] {
            if points[known].parent == nil { points[known] = point }
        } else {
            pointsByName[name] = points.count
            points.append(point)
        }
    }

    // MARK: Reading

    /// Whether what is below the row has been read.
    func hasRead(_ row: Int64) -> Bool { spots[row] != nil }

    /// Reads what is below the turning points, unless no shared tree has to do with them.
    private func load() throws {
        guard !isLoaded else { return }
        isLoaded = true
        guard hasMoves || hasNewRoots else { return }
        var starts: [(row: Int64, name: String)] = []
        var concerned: [Int64] = []
        for point in points {
            if let parent = point.parent, let row = try rows.row(named: parent) { concerned.append(row) }
            guard let row = point.row else { continue }
            starts.append((row, point.name.text))
            concerned.append(row)
        }
        try tree.load(concerned)
        guard try hasNewRoots || concerned.contains(where: { try tree.share(holding: $0) != nil }) else { return }
        for (place, point) in points.enumerated() {
            if let row = point.row { spots[row] = Spot(point: place, depth: 0) }
        }
        try descend(from: starts)
    }

    private func descend(from starts: [(row: Int64, name: String)]) throws {
        var level = starts
        var depth = 0
        while !level.isEmpty, depth < limit {
            depth += 1
            var next: [(row: Int64, name: String)] = []
            for child in try tree.children(of: level) {
                guard spots[child.row] == nil, let point = spots[child.parent]?.point else { continue }
                spots[child.row] = Spot(point: point, depth: depth)
                points[point].height = depth
                found.append(child)
                next.append((child.row, child.name))
            }
            let shares = Set(try next.compactMap { try tree.share(holding: $0.row) })
            for root in try tree.roots(of: shares).values {
                if let spot = spots[root], spot.depth == depth { points[spot.point].roots.append(root) }
            }
            level = next
        }
    }

    // MARK: Where records are now

    private func spot(of name: String) throws -> Spot? {
        if let point = pointsByName[ExactName(name)] { return Spot(point: point, depth: 0) }
        return try rows.row(named: name).flatMap { spots[$0] }
    }

    /// The parent that a turning point has now, or will have once it is made.
    private func parent(of point: Int) throws -> String? {
        guard let record = try rows.record(named: points[point].name.text) else { return points[point].parent }
        return record.parent
    }

    private func share(holding row: Int64) throws -> Int64? {
        guard let share = try tree.share(holding: row), !ended.contains(share) else { return nil }
        return share
    }

    /// The row of the root of the shared tree that a record is in now, be it itself.
    func root(above name: String) throws -> Int64? {
        try load()
        var seen: Set<Int> = []
        var place: String? = name
        while let name = place {
            let spot = try spot(of: name)
            if spot?.depth != 0, let row = try rows.row(named: name), let share = try share(holding: row),
                let root = try tree.roots(of: [share])[share]
            {
                // A tree that does not begin below the turning point holds what is below it no more.
                guard let spot else { return root }
                if let top = spots[root], top.point == spot.point { return root }
            }
            guard let point = spot?.point, seen.insert(point).inserted else { return nil }
            if try rows.record(named: points[point].name.text)?.share != nil {
                return try rows.row(named: points[point].name.text)
            }
            place = try parent(of: point)
        }
        return nil
    }

    /// Whether a record lies now, near or far, in another one that the request moves, or is that one.
    func isBelow(_ name: String, _ ancestor: String) throws -> Bool {
        try load()
        guard let top = pointsByName[ExactName(ancestor)] else { return false }
        var seen: Set<Int> = []
        var place: String? = name
        while let name = place, let point = try spot(of: name)?.point, seen.insert(point).inserted {
            if point == top { return true }
            place = try parent(of: point)
        }
        return false
    }

    /// What is below a turning point now.
    struct Extent {
        /// Levels, its own included. One more than the limit stands for all that are more.
        var levels: Int
        /// The row of a root of another share.
        var root: Int64?
    }

    func extent(below name: String) throws -> Extent {
        try load()
        guard let top = pointsByName[ExactName(name)] else { return Extent(levels: 1) }
        var children: [Int: [(point: Int, depth: Int)]] = [:]
        for point in points.indices {
            guard let parent = try parent(of: point), let spot = try spot(of: parent) else { continue }
            children[spot.point, default: []].append((point, spot.depth))
        }
        var extent = Extent(levels: 1)
        var seen: Set<Int> = [top]
        var waiting = [(point: top, level: 1)]
        while let (point, level) = waiting.popLast() {
            extent.levels = max(extent.levels, level + points[point].height)
            if extent.root == nil {
                extent.root = try points[point].roots.first { root in
                    try tree.share(holding: root).map { !ended.contains($0) } ?? false
                }
            }
            for child in children[point] ?? [] where seen.insert(child.point).inserted {
                if extent.root == nil, try rows.record(named: points[child.point].name.text)?.share != nil {
                    extent.root = try rows.row(named: points[child.point].name.text)
                }
                waiting.append((child.point, level + child.depth + 1))
            }
        }
        return extent
    }
}
