extension CloudSchema {
    /// The tables of zones, records, schema and subscriptions.
    static let recordTables = RecordTables.script
}
