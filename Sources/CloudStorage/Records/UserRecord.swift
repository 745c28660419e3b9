import CloudCore

/// The record that every user has in the default zone of the public and of the own private database.
enum UserRecord {
    static let type = "Users"

    /// What a lookup shows before anything was saved in it.
    static func fresh(_ name: String, zone: ZoneID, now: Int64) -> Record {
        let stamp = RecordStamp(timestamp: now, userRecordName: name, deviceID: "iCloud")
        return Record(
            id: RecordID(name: name, zone: zone), type: type, changeTag: ChangeTag.text(0), fields: [:],
            created: stamp, modified: stamp)
    }
}

extension ModifySession {
    func isOwnUserRecord(_ operation: RecordOperation) -> Bool {
        operation.id.name == writer.userName && table.zone.id.isDefault
            && (operation.recordType == nil || operation.recordType == UserRecord.type)
    }

    /// The writer's own user record as if it had always been there; the save that follows gives it a row.
    func bringUserRecordIntoBeing(over row: StoredRecord?) throws -> StoredRecord {
        if let row, !row.isDeleted { return row }
        let record = UserRecord.fresh(writer.userName, zone: table.zone.id, now: transaction.now)
        _ = try write(record, old: nil, over: row)
        guard let made = try table.row(named: writer.userName) else {
            throw CloudError(.internalError, "user record '\(writer.userName)' is lost")
        }
        return StoredRecord(
            row: made.row, typeID: made.typeID, sequence: made.sequence, isDeleted: false, record: made.record)
    }
}
