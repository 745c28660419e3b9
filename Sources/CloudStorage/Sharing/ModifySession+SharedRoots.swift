import CloudCore

/// No share lies in another one, neither when it is made nor when records move, and what one request shares or moves has no
/// more levels than are allowed.
extension ModifySession {
    /// - Throws: `EXISTS` when an ancestor or a descendant is the root of another share; `BAD_REQUEST` for a tree too deep.
    func requireUnsharedTree(_ root: Record) throws {
        if let parent = root.parent, let above = try moved.root(above: parent) { throw try alreadyShared(above) }
        let extent = try moved.extent(below: root.id.name)
        if let below = extent.root { throw try alreadyShared(below) }
        try requireLevels(extent, of: root.id.name, "shared")
    }

    /// - Throws: `EXISTS` when a record that gets another parent would take a shared tree with it into another one;
    ///   `BAD_REQUEST` when it takes too deep a tree into, out of or through a shared one.
    func requireMovable(_ record: Record) throws {
        let name = record.id.name
        // A name that was never used has nothing below it but what this request puts there, which was looked at by then.
        guard sharing.zone == .trees, let row = try rows.row(named: name) else { return }
        let old = try rows.record(named: name)
        guard old == nil || old?.parent != record.parent else { return }
        let isInTree = try record.parent.flatMap { try moved.root(above: $0) } != nil
        if isInTree, let share = old?.share { throw alreadyShared(name, by: share) }
        guard try isInTree || tree.share(holding: row) != nil else { return }
        let extent = try moved.extent(below: name)
        if isInTree, let root = extent.root { throw try alreadyShared(root) }
        try requireLevels(extent, of: name, "moved")
    }

    private func requireLevels(_ extent: MovedTrees.Extent, of name: String, _ verb: String) throws {
        let limit = transaction.limits.treeLevels
        guard extent.levels > limit else { return }
        throw CloudError(
            .badRequest,
            "record '\(name)' has records at \(extent.levels) levels or more, its own included; at most \(limit) levels are "
                + "\(verb) at once: begin with what lies deeper", nativeCode: 27)
    }

    private func alreadyShared(_ root: Int64) throws -> CloudError {
        let record = try rows.record(row: root)
        return alreadyShared(record?.id.name ?? "", by: record?.share ?? "")
    }
}
