import CloudCore
import SQLCore

/// Walks the locations of a field by their distance from a point: the nearest first, then those saved first.
///
/// What waits are cells, by the distance of their nearest point, and rows, by their own. When a cell comes first, its
/// entries are read if they are few, else its quarters wait in its place; when a row comes first, nothing that is
/// left is nearer. So only cells around the point are read, however many others there are. A walk that goes on behind a
/// row leaves out cells that are nearer as a whole, and reads those on the circle through that row once more.
final class DistanceCursor: QueryCursor {
    /// Entries of a cell that are read rather than divided.
    static let leaf = 32

    /// A place in the order of distance, creation and row.
    struct Place: Comparable {
        let millimetres: Int64
        var tie: [UInt8] = IndexKey.absent
        var row = Int64.min

        static func < (left: Place, right: Place) -> Bool {
            if left.millimetres != right.millimetres { return left.millimetres < right.millimetres }
            if left.tie != right.tie { return IndexKey.less(left.tie, right.tie) }
            return left.row < right.row
        }
    }

    private struct Area {
        let cell: GeoCell
        let zone: Int
        /// Of a smallest cell: where its entries were read up to.
        var read: IndexCursor.Place?
    }

    private enum Waiting {
        case area(Area)
        case row(IndexHit)
    }

    private let connection: any SQLConnection
    private let database: Int64
    private let field: Int64
    private let zones: [ZoneRef]
    private let order: DistanceOrder
    private let circles: [Circle]
    /// Nothing up to here is wanted.
    private var start: Place
    private var queue = MinimumHeap<Place, Waiting>()
    private var cost = 0

    /// - Parameters:
    ///   - circles: Where places must be to be wanted.
    ///   - start: The place behind which to begin.
    init(
        connection: any SQLConnection, database: Int64, zones: [ZoneRef], field: Int64, order: DistanceOrder,
        circles: [Circle], start: Place?
    ) {
        self.connection = connection
        self.database = database
        self.zones = zones
        self.field = field
        self.order = order
        self.circles = circles
        self.start = start ?? Place(millimetres: -1)
        for zone in zones.indices { wait(for: Area(cell: .world, zone: zone)) }
    }

    func peek() throws -> IndexHit? {
        while let first = queue.first {
            switch first.value {
            case .row(let hit):
                if first.key > start { return hit }
                queue.removeFirst()
            case .area: try read(areas(at: first.key))
            }
        }
        return nil
    }

    func next() throws -> IndexHit? {
        guard var hit = try peek() else { return nil }
        queue.removeFirst()
        hit.cost = max(1, cost)
        cost = 0
        return hit
    }

    func skip(_ key: [UInt8]) {
        start = max(start, Place(millimetres: DistanceOrder.millimetres(of: key) + 1))
    }

    /// The areas that are next in turn: several when they are of several zones.
    private func areas(at place: Place) -> [Area] {
        var areas: [Area] = []
        while areas.count < 64, let next = queue.first, next.key == place, case .area(let area) = next.value {
            areas.append(area)
            queue.removeFirst()
        }
        return areas
    }

    private func wait(for area: Area) {
        guard order.upperBound(of: area.cell) >= start.millimetres, circles.allSatisfy({ $0.mayMeet(area.cell) })
        else { return }
        queue.insert(.area(area), at: Place(millimetres: order.lowerBound(of: area.cell)))
    }

    private func read(_ areas: [Area]) throws {
        var found = [[(key: [UInt8], row: Int64)]](repeating: [], count: areas.count)
        try connection.query(
            EntryRows.statement(),
            each: areas.map { area in
                EntryRows(
                    database: database, zone: zones[area.zone].row, field: field,
                    lower: area.read ?? first(in: area.cell), upper: .before(area.cell.keys.upper, ascending: true),
                    most: Self.leaf + 1
                ).binds
            }
        ) { found[$0].append(($1.blob(0), $1.integer(1))) }
        for (area, entries) in zip(areas, found) {
            cost += entries.count
            take(entries, of: area)
        }
    }

    /// Where to begin in a cell: behind the start, if all of the cell is as far away as that.
    private func first(in cell: GeoCell) -> IndexCursor.Place {
        let lower = cell.keys.lower
        guard cell.isSmallest, order.millimetres(to: cell) == start.millimetres else {
            return IndexCursor.Place(key: lower, row: .min)
        }
        return IndexCursor.Place(key: lower + start.tie, row: start.row)
    }

    private func take(_ entries: [(key: [UInt8], row: Int64)], of area: Area) {
        guard entries.count > Self.leaf, let first = entries.first, let last = entries.last else {
            for entry in entries { wait(for: entry, in: area.zone) }
            return
        }
        // What has been read need not be read again: around the smallest cell that has all of it only what comes behind is
        // left, and of that cell's quarters those from the last entry on.
        let (from, reached) = (GeoCell.split(first.key).code, GeoCell.split(last.key).code)
        var cell = area.cell
        while !cell.isSmallest, let child = cell.children.first(where: { $0.lastCode >= from }),
            child.lastCode >= reached
        {
            for later in cell.children where later.code > child.code { wait(for: Area(cell: later, zone: area.zone)) }
            cell = child
        }
        if cell.isSmallest {
            for entry in entries { wait(for: entry, in: area.zone) }
            queue.insert(
                .area(Area(cell: cell, zone: area.zone, read: IndexCursor.Place(key: last.key, row: last.row))),
                at: place(of: last))
            return
        }
        let unread = cell.children.filter { $0.lastCode >= reached }
        for child in unread { wait(for: Area(cell: child, zone: area.zone)) }
        for entry in entries where GeoCell.split(entry.key).code < unread[0].code { wait(for: entry, in: area.zone) }
    }

    private func place(of entry: (key: [UInt8], row: Int64)) -> Place {
        let (code, tie) = GeoCell.split(entry.key)
        return Place(millimetres: order.millimetres(to: GeoCell(code: code)), tie: tie, row: entry.row)
    }

    private func wait(for entry: (key: [UInt8], row: Int64), in zone: Int) {
        let place = place(of: entry)
        guard place > start else { return }
        let hit = IndexHit(
            key: DistanceOrder.key(place.millimetres), tie: place.tie, row: entry.row, zone: zone)
        queue.insert(.row(hit), at: place)
    }
}

/// Values by their keys, the least first.
struct MinimumHeap<Key: Comparable, Value> {
    private var items: [(key: Key, value: Value)] = []

    var first: (key: Key, value: Value)? { items.first }

    mutating func insert(_ value: Value, at key: Key) {
        items.append((key, value))
        var index = items.count - 1
        while index > 0, items[index].key < items[(index - 1) / 2].key {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = items.popLast(), !items.isEmpty else { return }
        items[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < items.count && items[child].key < items[least].key
            {
                least = child
            }
            if least == index { return }
            items.swapAt(index, least)
            index = least
        }
    }
}
