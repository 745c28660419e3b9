import SQLCore

extension CloudSchema {
    /// Format 8: what makes the shared database of a participant quick to show.
    static func sharedViewTables(_ dialect: SQLDialect) -> String {
        """
        ALTER TABLE share ADD COLUMN last_change \(dialect.number) NOT NULL DEFAULT 0;
        ALTER TABLE shared_record ADD COLUMN entered \(dialect.number) NOT NULL DEFAULT 0;
        CREATE INDEX membership_zone ON membership (container, environment, user_name, owner, zone_name);
        CREATE INDEX participant_user ON participant (db, share, user_name);

        """
    }
}
