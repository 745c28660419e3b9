extension CKDatabase {
    /// What a database's change feed tells of its zones.
    public enum DatabaseChange {
        public struct Modification: Hashable, Sendable {
            public let zoneID: CKRecordZone.ID
        }

        public struct Deletion: Hashable, Sendable {
            public enum Reason: Hashable, Sendable {
                case deleted
                /// The user erased all that the app had stored: it is not to be saved again.
                case purged
                /// Never told: there are no encrypted fields.
                case encryptedDataReset
            }

            public let zoneID: CKRecordZone.ID
            public let reason: Reason

            @available(*, deprecated, message: "use reason")
            public var purged: Bool { reason == .purged }
        }
    }

    /// What a zone's change feed tells of its records.
    public enum RecordZoneChange {
        public struct Modification: Hashable, Sendable {
            public let record: CKRecord
        }

        public struct Deletion: Hashable, Sendable {
            public let recordID: CKRecord.ID
            public let recordType: CKRecord.RecordType
        }
    }
}
