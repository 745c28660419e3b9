import SQLCore

extension CloudSchema {
    /// Format 9: the files that its records hold count towards a database's bytes, and the uploads of a user that wait
    /// for their save are found without looking at those of others.
    static func countedFiles(_ dialect: SQLDialect) -> String {
        """
        UPDATE cloud_database SET bytes = bytes +
            COALESCE((SELECT SUM(size) FROM asset_reference WHERE asset_reference.db = cloud_database.id), 0);
        CREATE INDEX asset_receipt_user ON asset_receipt (db, user_name);

        """
    }
}
