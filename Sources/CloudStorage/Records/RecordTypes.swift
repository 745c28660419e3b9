package import CloudCore

/// Who writes: for stamps, for rights in the public database, and to spare the writer's own devices a push.
package struct Writer: Hashable, Sendable {
    package var userName: String
    package var deviceID: String
    package var clientID: String?

    package init(userName: String, deviceID: String = "2", clientID: String? = nil) {
        self.userName = userName
        self.deviceID = deviceID
        self.clientID = clientID
    }
}

/// What one operation of `modify` left behind.
package enum ModifiedRecord: Hashable, Sendable {
    case saved(Record)
    case deleted(RecordID)
}

package struct Zone: Hashable, Sendable {
    package var id: ZoneID
    /// Where the zone's feed stands; `nil` for the default zone, which has none.
    package var syncToken: String?
    /// Whether the zone is shared as a whole, by the record ``Sharing/zoneWideName``.
    package var isShared = false
}

package struct QueryPage: Hashable, Sendable {
    package var records: [Record]
    /// Where the next page begins; `nil` on the last one. A page may be short, or empty, and still have one.
    package var marker: String?
}

package struct DatabaseChangesPage: Hashable, Sendable {
    package var changed: [ZoneID]
    package var deleted: [ZoneID]
    /// Those of the deleted that went with all that their owner had stored.
    package var purged: Set<ZoneID> = []
    package var syncToken: String
    package var moreComing: Bool
}

package struct ZoneChangesPage: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case record(Record)
        case deleted(RecordID, recordType: String)
    }

    package var changes: [Change]
    package var syncToken: String
    package var moreComing: Bool
}
