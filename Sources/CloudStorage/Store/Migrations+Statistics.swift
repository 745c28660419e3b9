import SQLCore

extension CloudSchema {
    /// Format 7: the planner learns that a zone's number tells its database's, else it takes every zone for all but empty
    /// and seeks a record by name with whatever index lists the zone.
    static func recordStatistics(_ dialect: SQLDialect) -> String {
        dialect.relate.map { "\($0) record_place (dependencies) ON db, zone FROM record;\n" } ?? ""
    }
}
