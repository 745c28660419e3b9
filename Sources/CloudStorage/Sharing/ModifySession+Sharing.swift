import CloudCore
import SQLCore

/// Share records among the operations of a `records/modify`: made, changed, ended, left.
extension ModifySession {
    private var shares: ShareTable { table.shares }

    /// Whether the writer owns the zone.
    var isOwner: Bool { writer.userName == table.zone.id.owner }

    private func refusal(_ reason: String, _ nativeCode: Int = 12) -> CloudError {
        CloudError(.badRequest, reason, nativeCode: nativeCode)
    }

    private var notPermitted: CloudError { CloudError(.accessDenied, "WRITE operation not permitted", nativeCode: 10) }

    // MARK: Ordinary records

    /// Checks what an ordinary record has to do with sharing, and gives it its short GUID if the operation asks for one.
    func planShortGUID(_ operation: RecordOperation, _ record: inout Record) throws {
        if operation.sharing != nil {
            throw refusal("record '\(record.id.name)' is of type '\(record.type)'; only a share has participants")
        }
        if record.id.name == Sharing.zoneWideName {
            throw refusal("the record name '\(record.id.name)' is kept for the share of the zone")
        }
        try requireMovable(record)
        guard operation.createShortGUID, record.shortGUID == nil else { return }
        try requireShareableZone("a record gets a shortGUID")
        record.shortGUID = ShortGUID.make()
    }

    private func requireShareableZone(_ what: String) throws {
        guard database.id.scope == .private else {
            throw refusal("\(what) only in the private database", 24)
        }
        guard !table.zone.id.isDefault else {
            throw refusal("\(what) only in a custom zone, not in the default zone")
        }
        guard isOwner else { throw notPermitted }
    }

    /// Keeps what a short GUID names: the record of a row, or with 0 the zone.
    func keep(_ guid: String, of row: Int64?) throws {
        guard let row else { return }
        try transaction.connection.post(
            """
            INSERT INTO short_guid (guid, container, environment, db, zone, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, .text(guid), .text(database.id.container.rawValue), .text(database.id.environment.rawValue),
            .integer(database.row), .integer(table.zone.row), .integer(row))
    }

    // MARK: Making and changing

    /// Checks what a save of a share record asks for.
    func plannedShare(_ operation: RecordOperation, _ record: inout Record, old: Record?) throws -> PlannedShare {
        if record.parent != nil { throw refusal("the share '\(record.id.name)' cannot have a parent") }
        let draft = operation.sharing ?? SharingDraft()
        let plan = try old.map { try changedShare(draft, $0) } ?? newShare(draft, named: record.id.name)
        record.shortGUID = plan.newGUID ?? old?.shortGUID ?? plan.root?.shortGUID ?? record.shortGUID
        if plan.root == nil, plan.old == nil, plan.newGUID == nil { record.shortGUID = try zoneGUID() }
        return plan
    }

    private func editor(_ person: StoredParticipant) -> ShareEditor {
        let (transaction, container) = (transaction, database.id.container)
        return ShareEditor(limits: transaction.limits, now: transaction.now, editor: person) {
            try transaction.user(matching: $0, in: container)?.userRecordName
        }
    }

    private func changedShare(_ draft: SharingDraft, _ record: Record) throws -> PlannedShare {
        guard let row = try rows.row(named: record.id.name), let old = try shares.share(row) else {
            throw CloudError(.internalError, "the share '\(record.id.name)' is lost")
        }
        guard let own = old.person(named: writer.userName), own.isManager else { throw notPermitted }
        if let root = draft.root, root != old.rootName {
            throw refusal("the share '\(record.id.name)' cannot be moved to the record '\(root)'")
        }
        var share = old
        try editor(own).apply(draft, to: &share)
        return PlannedShare(share: share, old: old, root: nil, newGUID: nil)
    }

    private func newShare(_ draft: SharingDraft, named name: String) throws -> PlannedShare {
        try requireShareableZone("records can be shared")
        let root = try draft.root.map { try self.root($0, draft, share: name) }
        if root == nil { try requireWholeZone(name) }
        let row = try root.flatMap { try rows.row(named: $0.id.name) } ?? 0
        var share = ShareEditor.empty(
            row: 0, zone: table.zone.row, root: row, rootName: root?.id.name, owner: writer.userName,
            now: transaction.now)
        try editor(share.people[0]).apply(draft, to: &share)
        let known = try root == nil ? zoneGUID() : root?.shortGUID
        return PlannedShare(share: share, old: nil, root: root, newGUID: known == nil ? ShortGUID.make() : nil)
    }

    private func requireWholeZone(_ name: String) throws {
        guard name == Sharing.zoneWideName else {
            throw refusal(
                "the share '\(name)' needs forRecord; the share of a whole zone is named '\(Sharing.zoneWideName)'")
        }
        if sharing.zone == .trees {
            throw refusal(
                "zone '\(table.zone.id.name)' contains shared records; it can be shared as a whole when they are not "
                    + "shared any more")
        }
    }

    /// The short GUID that the zone had when it was shared before.
    private func zoneGUID() throws -> String? {
        try transaction.connection.first(
            "SELECT guid FROM short_guid WHERE db = ?1 AND zone = ?2 AND record = 0", .integer(database.row),
            .integer(table.zone.row)
        ) { $0.text(0) }
    }

    /// The record that a new share is for, if it can be shared.
    private func root(_ name: String, _ draft: SharingDraft, share: String) throws -> Record {
        guard share != Sharing.zoneWideName else {
            throw refusal("the name '\(share)' is kept for the share of the whole zone, which has no forRecord")
        }
        guard sharing.zone != .whole else {
            throw refusal(
                "zone '\(table.zone.id.name)' is shared as a whole; its record '\(name)' cannot be shared by itself", 15
            )
        }
        guard !sharing.failed.contains(ExactName(name)), let root = try rows.record(named: name) else {
            throw refusal("Cannot share - no such record exists to share")
        }
        guard root.type != Sharing.recordType else { throw refusal("the share '\(name)' cannot be shared itself") }
        if !promised.contains(ExactName(name)), let tag = draft.rootChangeTag, !tag.isEmpty, !isCurrent(tag, of: root) {
            throw try conflict(root)
        }
        if let share = root.share { throw alreadyShared(name, by: share) }
        try requireUnsharedTree(root)
        return root
    }

    func alreadyShared(_ name: String, by share: String) -> CloudError {
        CloudError(.exists, "record '\(name)' is already shared by the share '\(share)'", nativeCode: 30)
    }

    /// Writes what was planned, after the share record itself was saved.
    /// - Returns: What the share says to the writer.
    func carryOut(_ plan: PlannedShare, _ record: Record) throws -> Sharing? {
        guard let row = try rows.row(named: record.id.name) else { return nil }
        var share = plan.share
        share.row = row
        try shares.save(share, over: plan.old)
        if let guid = plan.newGUID { try keep(guid, of: share.root) }
        if let old = plan.old {
            try dismiss(old.memberNames.subtracting(share.memberNames), from: share)
            sharing.concerned.formUnion(share.memberNames)
        } else {
            sharing.made.append(share)
            try setZone(share.isWhole ? .whole : .trees)
        }
        if var root = plan.root {
            root.share = record.id.name
            root.shortGUID = record.shortGUID
            try touch(root)
        }
        return try table.viewer?.sharing(share, of: table.zone.id.owner)
    }

    private func setZone(_ mode: ZoneSharing) throws {
        guard sharing.zone != mode else { return }
        sharing.zone = mode
        try transaction.setSharing(mode, of: table.zone, in: database)
    }

    /// Gives a record another tag because its sharing changed.
    func touch(_ record: Record) throws {
        let name = ExactName(record.id.name)
        let before = try rows.record(named: record.id.name)
        guard let before, let type = try schema.type(named: record.type) else {
            throw CloudError(.internalError, "record '\(record.id.name)' is lost")
        }
        if sharing.earlierTags[name] == nil { sharing.earlierTags[name] = before.changeTag }
        counter += 1
        var record = record
        record.changeTag = ChangeTag.text(counter)
        try rows.save(record, ReferenceEntry.entries(of: record), typeID: type.id, sequence: counter)
        if let place = changes.lastIndex(where: { $0.new.map { ExactName($0.id.name) } == name }) {
            changes[place].new = record
        } else {
            changes.append(RecordChange(old: before, new: record))
        }
    }

    /// A record that sharing changed after it was saved; `nil` when it is as it was.
    func latest(of record: Record) throws -> Record? {
        guard sharing.earlierTags[ExactName(record.id.name)] != nil else { return nil }
        guard var latest = try rows.record(named: record.id.name) else { return nil }
        latest.sharing = record.sharing
        return latest
    }

    // MARK: Ending and leaving

    /// Ends the part that users have in a share.
    private func dismiss(_ users: Set<String>, from share: StoredShare) throws {
        for user in users.sorted() {
            try transaction.connection.post(
                """
                UPDATE membership SET ended = 1
                WHERE container = ?1 AND environment = ?2 AND user_name = ?3 AND db = ?4 AND share = ?5
                """, .text(database.id.container.rawValue), .text(database.id.environment.rawValue), .text(user),
                .integer(database.row), .integer(share.row))
        }
        sharing.concerned.formUnion(users)
    }

    /// Takes the writer, who is not the owner, out of the share.
    func leave(_ record: Record) throws {
        guard let row = try rows.row(named: record.id.name), let old = try shares.share(row),
            let own = old.person(named: writer.userName), own.kind == .participant
        else { throw notPermitted }
        var share = old
        share.people.removeAll { $0.id == own.id }
        try shares.save(share, over: old)
        try dismiss([writer.userName], from: share)
        try touch(record)
    }

    /// The share record that goes when a record is deleted: that of a root, which only the owner may delete.
    func shareGoing(with record: Record) throws -> Record? {
        guard let name = record.share else { return nil }
        guard isOwner else {
            throw CloudError(
                .accessDenied,
                "WRITE operation not permitted: record '\(record.id.name)' is the root of what is shared; only its owner "
                    + "deletes it, and who deletes the share record leaves", nativeCode: 10)
        }
        return try rows.record(named: name)
    }

    /// Ends the shares, and forgets the short GUIDs, of records that are about to be deleted.
    func endShares(of going: [Record]) throws {
        let names = Set(going.map { ExactName($0.id.name) })
        for record in going {
            if record.type == Sharing.recordType {
                try end(record, sparing: names)
            } else if let guid = record.shortGUID {
                try transaction.connection.post("DELETE FROM short_guid WHERE guid = ?1", .text(guid))
            }
        }
    }

    private func end(_ record: Record, sparing names: Set<ExactName>) throws {
        guard let row = try rows.row(named: record.id.name), let share = try shares.share(row) else { return }
        try shares.delete(row)
        try dismiss(share.memberNames, from: share)
        sharing.ended.append(share)
        moved.ended.insert(share.row)
        if let name = share.rootName, !names.contains(ExactName(name)), var root = try rows.record(named: name) {
            root.share = nil
            try touch(root)
        }
        if try !shares.hasShares(zone: table.zone.row) { try setZone(.none) }
    }

    /// After the records were written: tells those whose part changed.
    func finishSharing() throws {
        try transaction.notifySharedZones(of: sharing.concerned, in: database.id, by: writer)
    }
}
