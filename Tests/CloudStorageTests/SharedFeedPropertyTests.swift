import CloudCore
import CloudStorage
import Testing

/// Random work of an owner and two participants over trees that come, go, grow and move: a device that follows the feeds
/// has what its user's lookups show, whatever the limits of its pages and wherever it stopped.
@Suite struct SharedFeedPropertyTests {
    /// What is there, without a store.
    private struct Model {
        var parents: [String: String?] = [:]
        /// The permissions of those who take part in the share of each root.
        var shares: [String: [Writer: SharePermission]] = [:]

        /// The root of the tree that a record is in.
        func tree(of name: String) -> String? {
            var place = name
            var seen: Set<String> = []
            while seen.insert(place).inserted {
                if shares[place] != nil { return place }
                guard let parent = parents[place] ?? nil else { return nil }
                place = parent
            }
            return nil
        }

        func permission(_ user: Writer, _ name: String) -> SharePermission? {
            tree(of: name).flatMap { shares[$0]?[user] }
        }

        func visible(_ user: Writer) -> Set<String> {
            let records = parents.keys.filter { permission(user, $0) != nil }
            return Set(records).union(shares.filter { $0.value[user] != nil }.map { "share-\($0.key)" })
        }
    }

    private static let roots = ["r0", "r1", "r2"]
    private static let names = roots + (0..<10).map { "n\($0)" }
    private static let everything = names + roots.map { "share-\($0)" }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `a mirror built from the feeds is what lookups show`(seed: UInt64) async throws {
        var random = SeededGenerator(state: seed)
        let shared = try await SharedFixture()
        var model = Model()
        var devices = [shared.bob, shared.bob, shared.carol].map { SharedDevice(shared, $0) }
        for root in Self.roots {
            try await shared.modify([shared.save(root)])
            model.parents[root] = .some(nil)
        }
        for step in 0..<220 {
            try await work(&model, shared, &random)
            for index in devices.indices where Int.random(in: 0..<4, using: &random) == 0 {
                let limit = Int.random(in: 1...4, using: &random)
                try await devices[index].follow(limit: limit, pages: Int.random(in: 1...3, using: &random))
            }
            guard step % 11 == 0 else { continue }
            for index in devices.indices {
                try await devices[index].follow(limit: Int.random(in: 1...5, using: &random), pages: .max)
                try await check(devices[index], model, shared, "seed \(seed), step \(step), device \(index)")
            }
        }
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
        await shared.cloud.store.close()
    }

    private func check(_ device: SharedDevice, _ model: Model, _ shared: SharedFixture, _ where: String) async throws {
        let visible = model.visible(device.user)
        #expect(Set(device.mirror.keys) == visible, "\(`where`)")
        guard !visible.isEmpty else {
            await #expect(throws: CloudError.self) { try await shared.lookup(["r0"], by: device.user) }
            return
        }
        var found: [String: String] = [:]
        for record in try await shared.lookup(Self.everything, by: device.user) {
            if let record { found[record.id.name] = record.changeTag }
        }
        #expect(device.mirror == found, "\(`where`)")
        let zone = shared.zone
        let queried = try await shared.cloud.store.read {
            try $0.query(
                RecordQuery(recordType: "Note"), in: shared.view(device.user), zone: zone, limit: 200, marker: nil
            ).records.map(\.id.name)
        }
        #expect(Set(queried) == visible.filter { !$0.hasPrefix("share-") }, "\(`where`)")
    }

    /// One step of somebody's.
    private func work(_ model: inout Model, _ shared: SharedFixture, _ random: inout SeededGenerator) async throws {
        let root = Self.roots.randomElement(using: &random) ?? "r0"
        let user = [shared.bob, shared.carol].randomElement(using: &random) ?? shared.bob
        switch Int.random(in: 0..<16, using: &random) {
        case 0:
            if model.shares[root] == nil, model.parents[root] != nil {
                do {
                    try await shared.share(root, [])
                    model.shares[root] = [:]
                } catch let error as CloudError {
                    // A share lies in no other, when it is made.
                    #expect(error.nativeCode == 30)
                }
            } else if Bool.random(using: &random), model.shares[root] != nil {
                try await shared.stop(root)
                model.shares[root] = nil
            }
        case 1, 2:
            guard model.shares[root] != nil, model.shares[root]?[user] == nil else { return }
            let permission: SharePermission = Int.random(in: 0..<4, using: &random) == 0 ? .readOnly : .readWrite
            try await shared.accept(root, user, permission)
            model.shares[root]?[user] = permission
        case 3:
            guard model.shares[root]?[user] != nil else { return }
            try await shared.leave(root, user)
            model.shares[root]?[user] = nil
        case 4..<11: try await save(shared.alice, &model, shared, &random)
        default: try await save(user, &model, shared, &random)
        }
    }

    /// One or two operations of one request.
    private func save(
        _ writer: Writer, _ model: inout Model, _ shared: SharedFixture, _ random: inout SeededGenerator
    ) async throws {
        var operations: [RecordOperation] = []
        for name in Self.names.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
            let isRoot = Self.roots.contains(name)
            if Int.random(in: 0..<5, using: &random) == 0 {
                if !isRoot { operations.append(shared.delete(name)) }
                continue
            }
            var parent: String?? = nil
            if Int.random(in: 0..<(isRoot ? 6 : 2), using: &random) == 0 {
                parent =
                    Int.random(in: 0..<6, using: &random) == 0 ? .some(nil) : Self.names.randomElement(using: &random)
            }
            if parent == name { continue }
            operations.append(shared.save(name, under: parent, "\(random.next() % 100)"))
        }
        let before = model
        let results: [Result<ModifiedRecord, CloudError>]
        do { results = try await shared.modify(operations, by: writer) } catch let error as CloudError {
            #expect(error.code == .zoneNotFound && before.visible(writer).isEmpty)
            return
        }
        for (operation, result) in zip(operations, results) {
            guard case .success(let modified) = result else { continue }
            let name = operation.id.name
            if writer != shared.alice, before.parents[name] != nil, before.permission(writer, name) != .readWrite {
                // Nothing may be changed; what he does not see counts as deleted.
                #expect(operation.type == .forceDelete && before.permission(writer, name) == nil, "\(name)")
                continue
            }
            switch modified {
            case .deleted: model.parents[name] = nil
            case .saved:
                // What a root lies in is not for participants to change.
                if writer != shared.alice, model.shares[name] != nil { continue }
                if let parent = operation.parent {
                    model.parents[name] = .some(parent)
                } else if model.parents[name] == nil {
                    model.parents[name] = .some(nil)
                }
            }
        }
        guard writer != shared.alice else { return }
        for (operation, result) in zip(operations, results) {
            guard case .success(.saved) = result else { continue }
            #expect(
                model.permission(writer, operation.id.name) == .readWrite, "\(operation.id.name) left what he may write"
            )
        }
    }
}

/// What a device of a participant keeps of one zone.
struct SharedDevice {
    let shared: SharedFixture
    let user: Writer
    /// The tags of the records by name.
    private(set) var mirror: [String: String] = [:]
    private var databaseToken: String?
    private var zoneToken: String?
    private var isBehind = false

    init(_ shared: SharedFixture, _ user: Writer) {
        self.shared = shared
        self.user = user
    }

    /// Asks what changed, and reads so many pages of the zone.
    mutating func follow(limit: Int, pages: Int) async throws {
        var isMore = true
        while isMore {
            let page = try await shared.zones(user, since: databaseToken, limit: limit)
            databaseToken = page.syncToken
            isMore = page.moreComing
            if page.changed.contains(shared.zone) { isBehind = true }
            if page.deleted.contains(shared.zone) { forget() }
        }
        var read = 0
        while isBehind, read < pages {
            read += 1
            do {
                let page = try await shared.changes(user, since: zoneToken, limit: limit)
                zoneToken = page.syncToken
                isBehind = page.moreComing
                #expect(page.changes.count <= limit)
                for change in page.changes {
                    switch change {
                    case .record(let record): mirror[record.id.name] = record.changeTag
                    case .deleted(let id, _): mirror[id.name] = nil
                    }
                }
            } catch let error as CloudError {
                forget()
                isBehind = error.nativeCode == 21
            }
        }
    }

    private mutating func forget() {
        mirror = [:]
        zoneToken = nil
        isBehind = false
    }
}
