package import CloudCore
import SQLCore

extension CloudTransaction {
    /// The database's zones, the default zone first; of a shared database by owner and name.
    package func zones(in id: DatabaseID) throws -> [Zone] {
        guard id.scope != .shared else {
            return try sharedAccesses(in: id).map {
                Zone(
                    id: $0.zone.id, syncToken: currentToken($0, of: id.owner), isShared: $0.zone.sharing == .whole)
            }
        }
        let database = try database(id)
        return try zoneRefs(in: database).map { zone($0, in: database) }
    }

    package func zone(_ id: ZoneID, in databaseID: DatabaseID) throws -> Zone {
        let access = try access(to: id, in: databaseID)
        if access.isShared {
            return Zone(
                id: id, syncToken: currentToken(access, of: databaseID.owner), isShared: access.zone.sharing == .whole)
        }
        return zone(access.zone, in: access.database)
    }

    private func zone(_ ref: ZoneRef, in database: DatabaseRef) -> Zone {
        guard !ref.id.isDefault else { return Zone(id: ref.id, syncToken: nil) }
        let token = SyncToken(
            kind: .zone, databaseIncarnation: database.incarnation, zoneIncarnation: ref.incarnation,
            number: ref.lastChange)
        return Zone(
            id: ref.id, syncToken: SyncTokenCodec.encode(token, secret: secret), isShared: ref.sharing == .whole)
    }

    /// Makes the zone; one that is already there is returned as it is.
    @discardableResult
    package func createZone(_ id: ZoneID, in databaseID: DatabaseID, by writer: Writer) throws -> Zone {
        try requireOwnZones(id, in: databaseID)
        if id.isDefault { return try zone(id, in: databaseID) }
        if let violation = NameRule.violation(in: id.name, of: "zone name") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        let database = try database(databaseID)
        let known = try connection.first(
            "SELECT id, deleted FROM zone WHERE db = ?1 AND name = ?2", .integer(database.row), .text(id.name)
        ) { (row: $0.integer(0), deleted: $0.integer(1) != 0) }
        if known?.deleted != false {
            try requireRoomForZone(in: database)
            let number = database.counter + 1
            let incarnation = Int64.random(in: 1...Int64.max)
            if let known {
                try connection.post(
                    """
                    UPDATE zone SET incarnation = ?3, last_change = ?4, deleted = 0, values_indexed = 0, words_indexed = 0
                    WHERE db = ?1 AND id = ?2
                    """,
                    .integer(database.row), .integer(known.row), .integer(incarnation), .integer(number))
            } else {
                try insertZone(id.name, change: number, in: database.row, incarnation: incarnation)
            }
            memory.zones = [:]
            try setCounter(number, of: database)
            try notifyZoneListChanged(in: database, by: writer)
        }
        return try zone(id, in: databaseID)
    }

    /// Deletes the zone with its records, index entries, references and zone subscriptions.
    package func deleteZone(_ id: ZoneID, in databaseID: DatabaseID, by writer: Writer) throws {
        try requireOwnZones(id, in: databaseID)
        guard !id.isDefault else {
            throw CloudError(.badRequest, "the default zone cannot be deleted", nativeCode: 15)
        }
        try end(id, in: databaseID, as: .deleted, by: writer)
    }

    /// Takes a zone of a private database from it because its owner wants nothing of the app's kept. The default zone stays,
    /// empty. A zone that is gone already is passed over.
    func purgeZone(_ id: ZoneID, in databaseID: DatabaseID, by writer: Writer) throws {
        do {
            try end(id, in: databaseID, as: .purged, by: writer)
        } catch let error as CloudError where error.code == .zoneNotFound {}
    }

    private func end(_ id: ZoneID, in databaseID: DatabaseID, as end: ZoneEnd, by writer: Writer) throws {
        let database = try database(databaseID)
        let ref = try zoneRef(id, in: database)
        try endSharing(of: ref, in: database, by: writer)
        let bytes = try storedBytes(in: database, zone: ref)
        for table in ["record", "entry", "reference"] {
            try connection.post(
                "DELETE FROM \(table) WHERE db = ?1 AND zone = ?2", .integer(database.row), .integer(ref.row))
        }
        try releaseAssets(ofZone: ref.row, in: database.row)
        memory.forgetRecords()
        memory.zones = [:]
        try setCounter(database.counter + 1, of: database, growth: -bytes)
        guard !id.isDefault else {
            // No token of it is good for what comes after.
            return try connection.post(
                "UPDATE zone SET incarnation = ?3, last_change = ?4 WHERE db = ?1 AND id = ?2", .integer(database.row),
                .integer(ref.row), .integer(Int64.random(in: 1...Int64.max)), .integer(database.counter + 1))
        }
        for stored in try storedSubscriptions(in: database, user: nil) {
            switch stored.subscription.kind {
            case .zone(id, _), .query(_, zone: .some(id), _, _): try removeSubscription(stored, in: database)
            default: break
            }
        }
        try connection.post(
            "UPDATE zone SET deleted = ?4, last_change = ?3 WHERE db = ?1 AND id = ?2", .integer(database.row),
            .integer(ref.row), .integer(database.counter + 1), .integer(end.rawValue))
        try notifyZoneListChanged(in: database, by: writer)
    }

    private func requireRoomForZone(in database: DatabaseRef) throws {
        let count = try connection.first(
            "SELECT COUNT(*) FROM zone WHERE db = ?1 AND deleted = 0", .integer(database.row)
        ) { Int($0.integer(0)) }
        guard let count, count >= limits.zonesPerDatabase else { return }
        throw CloudError(
            .badRequest, "the database has \(count) zones; at most \(limits.zonesPerDatabase) are allowed",
            nativeCode: 27)
    }

    private func requireOwnZones(_ id: ZoneID, in databaseID: DatabaseID) throws {
        guard databaseID.scope == .private else {
            throw CloudError(
                .badRequest, "zones cannot be made or deleted in the \(databaseID.scope.pathName) database",
                nativeCode: 24)
        }
        guard id.owner == databaseID.owner else {
            throw CloudError(.zoneNotFound, "Zone '\(id.name)' of owner '\(id.owner)' does not exist", nativeCode: 26)
        }
    }
}
