import CloudCore

/// No share lies in another one: neither when it is made nor when records move.
extension ModifySession {
    /// - Throws: `EXISTS` when an ancestor or a descendant is the root of another share.
    func requireUnsharedTree(_ root: Record) throws {
        guard sharing.zone == .trees else { return }
        if let parent = root.parent, let (name, share) = try sharedRoot(from: parent) {
            throw alreadyShared(name, by: share)
        }
        if let (name, share) = try sharedRoot(below: root) { throw alreadyShared(name, by: share) }
    }

    /// - Throws: `EXISTS` when a record that gets another parent would take a shared tree with it into another one.
    func requireUnnested(_ record: Record) throws {
        guard sharing.zone == .trees, let parent = record.parent, let old = try rows.record(named: record.id.name),
            old.parent != parent, try sharedRoot(from: parent) != nil
        else { return }
        if let share = old.share { throw alreadyShared(record.id.name, by: share) }
        if let (name, share) = try sharedRoot(below: old) { throw alreadyShared(name, by: share) }
    }

    /// The nearest root of a share among a record and its ancestors.
    private func sharedRoot(from name: String) throws -> (name: String, share: String)? {
        var seen: Set<ExactName> = []
        var next: String? = name
        while let name = next, seen.insert(ExactName(name)).inserted, let record = try rows.record(named: name) {
            if let share = record.share { return (name, share) }
            next = record.parent
        }
        return nil
    }

    /// A root of a share among the descendants of a record, which are read level by level.
    private func sharedRoot(below root: Record) throws -> (name: String, share: String)? {
        var level = [root]
        var seen: Set<ExactName> = [ExactName(root.id.name)]
        while !level.isEmpty {
            try rows.load([], Set(level.map { .init(name: ExactName($0.id.name), kind: .parent) }))
            let children = try level.flatMap { try rows.sources(of: $0.id.name, kind: .parent) }
            level = try rows.records(rows: children).filter { seen.insert(ExactName($0.id.name)).inserted }
            for record in level {
                if let share = record.share { return (record.id.name, share) }
            }
        }
        return nil
    }
}
