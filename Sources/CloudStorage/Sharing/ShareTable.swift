import CloudCore
import SQLCore

/// Reads and writes shares and their people in one database.
struct ShareTable {
    let connection: any SQLConnection
    let database: Int64

    /// The share whose record has this row.
    func share(_ row: Int64) throws -> StoredShare? { try share("s.record = ?2", [.integer(row)]) }

    /// The share of a root; 0 asks for that of the whole zone.
    func share(root: Int64, zone: Int64) throws -> StoredShare? {
        try share("s.zone = ?2 AND s.root = ?3", [.integer(zone), .integer(root)])
    }

    /// All shares of a zone, in the order of their rows.
    func shares(zone: Int64) throws -> [StoredShare] {
        var rows: [Int64] = []
        try connection.query(
            "SELECT record FROM share WHERE db = ?1 AND zone = ?2 ORDER BY record",
            [.integer(database), .integer(zone)]
        ) { row in
            rows.append(row.integer(0))
            return true
        }
        return try rows.compactMap { try share($0) }
    }

    func hasShares(zone: Int64) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM share WHERE db = ?1 AND zone = ?2 LIMIT 1", .integer(database), .integer(zone)
        ) { _ in true } ?? false
    }

    private func share(_ condition: String, _ binds: [SQLValue]) throws -> StoredShare? {
        var found: StoredShare?
        try connection.query(
            """
            SELECT s.record, s.zone, s.root, s.public_permission, s.access_requests, r.name FROM share s
            LEFT JOIN record r ON r.db = s.db AND r.id = s.root WHERE s.db = ?1 AND \(condition)
            """, [.integer(database)] + binds
        ) { row in
            found = StoredShare(
                row: row.integer(0), zone: row.integer(1), root: row.integer(2), rootName: row.optionalText(5),
                publicPermission: SharePermission(rawValue: Int(row.integer(3))) ?? .none,
                allowsAccessRequests: row.integer(4) != 0, people: [])
            return false
        }
        guard var share = found else { return nil }
        share.people = try people(share.row)
        return share
    }

    private func people(_ share: Int64) throws -> [StoredParticipant] {
        var people: [StoredParticipant] = []
        try connection.query(
            """
            SELECT id, kind, place, user_name, email, phone, role, permission, status, added, approved, invitation
            FROM participant WHERE db = ?1 AND share = ?2 ORDER BY place, id
            """, [.integer(database), .integer(share)]
        ) { row in
            people.append(
                StoredParticipant(
                    id: row.text(0), kind: StoredParticipant.Kind(rawValue: row.integer(1)) ?? .blocked,
                    place: row.integer(2), userName: row.optionalText(3), email: row.optionalText(4),
                    phone: row.optionalText(5), role: ParticipantRole(rawValue: Int(row.integer(6))) ?? .unknown,
                    permission: SharePermission(rawValue: Int(row.integer(7))) ?? .none,
                    status: AcceptanceStatus(rawValue: Int(row.integer(8))) ?? .unknown, added: row.integer(9),
                    isApproved: row.integer(10) != 0, invitation: row.isNull(11) ? nil : row.blob(11)))
            return true
        }
        return people
    }

    // MARK: Writing

    /// Writes what of a share differs from `old`; all of it when there is no old one.
    func save(_ share: StoredShare, over old: StoredShare?) throws {
        let content: [SQLValue] = [
            .integer(database), .integer(share.row), .integer(Int64(share.publicPermission.rawValue)),
            .integer(share.allowsAccessRequests ? 1 : 0),
        ]
        if old == nil {
            try connection.post(
                """
                INSERT INTO share (db, record, public_permission, access_requests, zone, root)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """, content + [.integer(share.zone), .integer(share.root)])
        } else if old?.publicPermission != share.publicPermission
            || old?.allowsAccessRequests != share.allowsAccessRequests
        {
            try connection.post(
                "UPDATE share SET public_permission = ?3, access_requests = ?4 WHERE db = ?1 AND record = ?2", content)
        }
        let before = Dictionary(uniqueKeysWithValues: (old?.people ?? []).map { ($0.id, $0) })
        let after = Set(share.people.map(\.id))
        for id in before.keys.filter({ !after.contains($0) }).sorted() {
            try connection.post(
                "DELETE FROM participant WHERE db = ?1 AND share = ?2 AND id = ?3", .integer(database),
                .integer(share.row), .text(id))
        }
        for person in share.people {
            guard let known = before[person.id] else {
                try insert(person, into: share.row)
                continue
            }
            if known != person { try update(person, in: share.row) }
        }
    }

    private func insert(_ person: StoredParticipant, into share: Int64) throws {
        try connection.post(
            """
            INSERT INTO participant (db, share, id, kind, place, user_name, email, phone, role, permission, status,
                approved, invitation, added)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """, values(person, share) + [.integer(person.added)])
    }

    private func update(_ person: StoredParticipant, in share: Int64) throws {
        try connection.post(
            """
            UPDATE participant SET kind = ?4, place = ?5, user_name = ?6, email = ?7, phone = ?8, role = ?9,
                permission = ?10, status = ?11, approved = ?12, invitation = ?13
            WHERE db = ?1 AND share = ?2 AND id = ?3
            """, values(person, share))
    }

    private func values(_ person: StoredParticipant, _ share: Int64) -> [SQLValue] {
        [
            .integer(database), .integer(share), .text(person.id), .integer(person.kind.rawValue),
            .integer(person.place), .optional(person.userName), .optional(person.email), .optional(person.phone),
            .integer(Int64(person.role.rawValue)), .integer(Int64(person.permission.rawValue)),
            .integer(Int64(person.status.rawValue)), .integer(person.isApproved ? 1 : 0),
            person.invitation.map { .blob($0) } ?? .null,
        ]
    }

    func delete(_ share: Int64) throws {
        try connection.post("DELETE FROM share WHERE db = ?1 AND record = ?2", .integer(database), .integer(share))
        try connection.post("DELETE FROM participant WHERE db = ?1 AND share = ?2", .integer(database), .integer(share))
    }
}
