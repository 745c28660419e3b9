import CloudCore

/// What the access to a zone lets a writer do with its records.
///
/// A participant in trees sees what is in them. He changes records where he may write and makes new ones below those; he
/// moves them from one such tree to another. A root stays where it is, and only the owner deletes it.
extension ModifySession {
    /// - Throws: `ACCESS_DENIED` if the writer may write nothing in the zone.
    func requireWriting() throws {
        guard access.mayWrite else {
            throw denied("zone '\(table.zone.id.name)' is shared with you for reading only")
        }
    }

    /// - Throws: `ACCESS_DENIED` if the writer may not change the record, which he sees.
    func requireWriting(_ record: Record) throws {
        if isPublic, record.created.userRecordName != writer.userName { throw denied(nil) }
        // Who may change a share is a matter of its people.
        guard record.type != Sharing.recordType, let tree = try accessedTree(of: record),
            tree.permission != .readWrite
        else { return }
        throw denied("record '\(record.id.name)' is shared with you for reading only")
    }

    /// Sees to it that what a participant saves stays in, or comes into, a tree that he may write.
    /// - Throws: `ACCESS_DENIED`, also when the name is taken by a record that he does not see.
    func requirePlace(of record: inout Record, over old: Record?) throws {
        guard let trees = access.trees, record.type != Sharing.recordType else { return }
        let name = record.id.name
        if let old, let row = try rows.row(named: name), let tree = try accessedTree(of: old), tree.root == row {
            // What a root lies in is not shown to participants, so their saves do not speak of it.
            guard record.parent == nil || record.parent == old.parent else {
                throw denied("record '\(name)' is the root of what is shared; only its owner moves it")
            }
            record.parent = old.parent
            return
        }
        if old == nil, try rows.record(named: name) != nil {
            throw denied("the record name '\(name)' cannot be used")
        }
        guard let parent = record.parent else {
            throw denied("record '\(name)' needs a parent in what is shared with you for writing")
        }
        guard let share = try share(ofParent: parent), trees[share]?.permission == .readWrite else {
            throw denied("parent '\(parent)' of record '\(name)' is not in what is shared with you for writing")
        }
        // Such a circle would be in no tree any more.
        if let old, old.parent != parent, try moved.isBelow(parent, name) {
            throw denied("record '\(name)' cannot lie in record '\(parent)', which lies in it")
        }
    }

    /// - Throws: `ACCESS_DENIED` if the writer may not delete the record, be it that it goes along with another.
    func requireDeleting(_ record: Record) throws {
        guard access.trees != nil else { return }
        guard let tree = try accessedTree(of: record), tree.permission == .readWrite else {
            throw denied("a record that you may not delete would go along")
        }
    }

    /// The share record of a share that a participant leaves by deleting, in a request of its own, the root of what is
    /// shared with him. The records stay. Among other operations the deletion of a root is refused.
    func shareLeft(by operation: RecordOperation, on old: Record?) throws -> Record? {
        guard isAlone, access.trees != nil, operation.type == .delete || operation.type == .forceDelete,
            let name = old?.share
        else { return nil }
        return try rows.record(named: name)
    }

    /// The record as far as the writer may see it.
    func visibleRecord(named name: String) throws -> Record? {
        guard let record = try rows.record(named: name) else { return nil }
        guard access.trees != nil else { return record }
        return try accessedTree(of: record) == nil ? nil : record
    }

    /// The record as the writer is told of it.
    func shown(_ record: Record) throws -> Record {
        guard access.trees != nil, record.parent != nil, let tree = try accessedTree(of: record),
            try rows.row(named: record.id.name) == tree.root
        else { return record }
        var shown = record
        shown.parent = nil
        return shown
    }

    /// The tree by which a participant sees the record; `nil` without one, and for whoever sees the whole zone.
    private func accessedTree(of record: Record) throws -> ZoneAccess.Tree? {
        guard let trees = access.trees else { return nil }
        return try share(ofParent: record.id.name).flatMap { trees[$0] }
    }

    /// The share whose tree a record is in, or will be when this request has saved it and what it lies in.
    private func share(ofParent name: String) throws -> Int64? {
        var seen: Set<ExactName> = []
        var place = name
        while seen.insert(ExactName(place)).inserted {
            if let row = try rows.row(named: place), let record = try rows.record(row: row) {
                if let share = try tree.share(holding: row) { return share }
                // Only what this request made is not in its tree yet.
                guard rows.isNew(row), let parent = record.parent else { return nil }
                place = parent
            } else {
                guard promised.contains(ExactName(place)), let parent = promisedParents[ExactName(place)] else {
                    return nil
                }
                place = parent
            }
        }
        return nil
    }

    private func denied(_ why: String?) -> CloudError {
        CloudError(.accessDenied, "WRITE operation not permitted" + (why.map { ": \($0)" } ?? ""), nativeCode: 10)
    }
}
