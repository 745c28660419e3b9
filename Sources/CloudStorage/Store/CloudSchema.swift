import SQLCore

/// The tables of a store, as numbered steps.
package enum CloudSchema {
    static let migrations = [
        Migration(format: 1) { storeTables($0) + accountTables($0) + recordTables($0) },
        Migration(format: 2, sql: originTables),
        Migration(format: 3, sql: keyedTables),
        Migration(format: 4, sql: pushExpiry),
        Migration(format: 5, sql: turnTables),
        Migration(format: 6, sql: watchTables),
        Migration(format: 7, sql: recordStatistics),
        Migration(format: 8) {
            sharingTables($0) + sharedViewTables($0) + peopleTables($0) + assetTables($0) + textIndex($0)
        } finish: {
            try indexTexts(on: $0)
        },
        Migration(format: 9) { indexReach($0) + countedFiles($0) },
    ]

    private static func storeTables(_ dialect: SQLDialect) -> String {
        "CREATE TABLE setting (name \(dialect.text) PRIMARY KEY, value \(dialect.bytes) NOT NULL);\n"
    }
}
