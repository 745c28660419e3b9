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
