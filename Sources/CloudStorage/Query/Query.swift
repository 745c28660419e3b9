package import CloudCore
import SQLCore

extension CloudTransaction {
    /// One page of the records that match; `zone` `nil` searches every zone of the database.
    ///
    /// A page examines no more than ``CloudLimits/rowsPerQuery`` rows. One that would have to ends early: with fewer
    /// records than asked for, or none, and a marker.
    /// - Parameters:
    ///   - limit: Most records in the page, 1 to ``CloudLimits/resultsPerPage``.
    ///   - marker: Where the page before ended; the query and the zone must be the same again.
    /// - Throws: `badRequest` that names the type, field, comparator or number at fault.
    package func query(
        _ query: RecordQuery, in databaseID: DatabaseID, zone zoneID: ZoneID?, limit: Int, marker: String?
    )
        throws -> QueryPage
    {
        if databaseID.scope == .shared, zoneID == nil {
            throw CloudError(.badRequest, "SharedDB does not support Zone Wide queries", nativeCode: 12)
        }
        let access = try zoneID.map { try self.access(to: $0, in: databaseID) }
        let database = try access?.database ?? self.database(databaseID)
        let zones = try access.map { [$0.zone] } ?? searchedZones(of: database)
        if query.recordType == UserRecord.type {
            throw CloudError(.badRequest, "records of type '\(UserRecord.type)' cannot be queried", nativeCode: 12)
        }
        if query.recordType != Sharing.recordType,
            let violation = NameRule.identifierViolation(in: query.recordType, of: "record type")
        {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        let schema = SchemaSession(self, databaseID)
        guard let type = try schema.type(named: query.recordType) else {
            throw CloudError(.badRequest, "Did not find record type: \(query.recordType)", nativeCode: 11)
        }
        let compiler = QueryCompiler(limits: limits, schema: type)
        let matcher = try compiler.matcher(query.filters)
        let sorts = try compiler.sorts(query.sorts)
        let binding = QueryMarker.binding(query, zone: zoneID, database: database)
        let run = QueryRun(
            connection: connection, database: database,
            tables: zones.map {
                RecordTable(
                    connection: connection, schema: schema, database: database.row, zone: $0, trees: access?.trees,
                    viewer: shareViewer(databaseID.owner, in: databaseID))
            },
            schema: type, matcher: matcher, sorts: sorts,
            start: try marker.map {
                try QueryMarker.decode($0, binding: binding, sorts: sorts.count, secret: secret)
            },
            limit: page(limit), budget: max(1, limits.rowsPerQuery), answerBytes: limits.answerBytes)
        try requireIndexes(run.indexes, of: zones, in: database)
        let page = try run.page()
        return QueryPage(
            records: page.records,
            marker: page.end.map { QueryMarker.encode($0, binding: binding, secret: secret) })
    }

    /// All zones of a database; each costs a query a step, so that more than a number of them are refused.
    private func searchedZones(of database: DatabaseRef) throws -> [ZoneRef] {
        let most = max(1, limits.zonesPerQuery)
        let more = try connection.first(
            "SELECT id FROM zone WHERE db = ?1 AND deleted = 0 LIMIT 1 OFFSET ?2", .integer(database.row),
            .integer(Int64(most))
        ) { _ in true }
        if more == true {
            throw CloudError(
                .badRequest,
                "the database has more than \(most) zones, the most that a query without a zone searches: name a zone",
                nativeCode: 27)
        }
        return try zoneRefs(in: database)
    }
}
