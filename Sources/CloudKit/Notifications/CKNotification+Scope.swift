extension CKQueryNotification {
    /// The database of the record.
    public var databaseScope: CKDatabase.Scope { CKDatabase.Scope(content.scope) }
}

extension CKRecordZoneNotification {
    /// The database of the zone.
    public var databaseScope: CKDatabase.Scope { CKDatabase.Scope(content.scope) }
}

extension CKDatabaseNotification {
    /// The database that changed.
    public var databaseScope: CKDatabase.Scope { CKDatabase.Scope(content.scope) }
}
