import SQLCore

/// The tables of a store, as numbered steps.
package enum CloudSchema {
    static let migrations = [
        Migration(format: 1, sql: storeTables + accountTables + recordTables),
        Migration(format: 2, sql: originTables),
    ]

    private static let storeTables = """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL);

        """
}
