import CloudCore
import SQLCore

/// A removed account whose traces are being erased.
struct ErasedPerson {
    struct User {
        let container: ContainerID
        let name: String
    }

    /// What rows of the table `erasure` have in the place of a container, no container's name, when they hold an address or
    /// a number.
    static let email = "mailto:"
    static let phone = "tel:"

    let account: Int64
    private(set) var users: [User] = []
    private var names: Set<String> = []
    private var address: String?
    private var number: String?

    init(account: Int64) { self.account = account }

    mutating func add(container: String, _ text: String) {
        switch container {
        case Self.email: address = text
        case Self.phone: number = text
        default:
            users.append(User(container: ContainerID(container), name: text))
            names.insert(text)
        }
    }

    /// Whether an entry among the people of a share is the person's. One with a user's name is that user's, whoever has the
    /// address by now.
    func isMeant(userName: String?, email: String?, phone: String?) -> Bool {
        if let userName { return names.contains(userName) }
        return email != nil && email == address || phone != nil && phone == number
    }
}

/// How far the shares of others were searched for the traces of a removed account.
struct ErasurePlace: Hashable {
    let account: Int64
    /// The last entry among the people of shares that was looked at.
    var database: Int64 = 0
    var share: Int64 = 0
    var person = ""
}

extension CloudTransaction {
    /// People who are told in one step, about.
    private static func sharesTogether(_ limit: Int) -> Int { max(1, limit / 100) }

    /// Ends the shares of a database that is being erased. Those who took part are told, and keep the names of the zones in
    /// their list of what they took part in, so that their feeds say that the zones are gone.
    /// - Parameter limit: A measure of how much is done now.
    /// - Returns: Whether no share is left.
    func endShares(of id: DatabaseID, _ database: Int64, limit: Int) throws -> Bool {
        let shares = ShareTable(connection: connection, database: database)
        let limit = Self.sharesTogether(limit)
        var rows: [Int64] = []
        try connection.query(
            "SELECT record FROM share WHERE db = ?1 ORDER BY record LIMIT ?2",
            [.integer(database), .integer(Int64(limit))]
        ) { row in
            rows.append(row.integer(0))
            return true
        }
        guard !rows.isEmpty else { return true }
        var members: Set<String> = []
        for row in rows {
            if let share = try shares.share(row) { members.formUnion(share.memberNames) }
            try connection.post(
                "UPDATE membership SET ended = 1 WHERE db = ?1 AND share = ?2", .integer(database), .integer(row))
            try shares.delete(row)
        }
        try notifySharedZones(of: members, in: id, by: Writer(userName: id.owner))
        memory.forget()
        return rows.count < limit
    }

    /// Takes a removed account out of the shares of others, be it that somebody took part, was invited or asked to be.
    /// - Parameter limit: The most entries to look at now.
    /// - Returns: Where to go on; `nil` when all shares were looked at.
    func leaveShares(_ gone: ErasedPerson, after place: ErasurePlace, limit: Int) throws -> ErasurePlace? {
        var place = place
        var looked = 0
        var found: Set<SharePosition> = []
        var isFull = false
        try connection.query(
            """
            SELECT db, share, id, user_name, email, phone FROM participant WHERE (db, share, id) > (?1, ?2, ?3)
            ORDER BY db, share, id LIMIT ?4
            """, [.integer(place.database), .integer(place.share), .text(place.person), .integer(Int64(limit))]
        ) { row in
            let position = SharePosition(database: row.integer(0), share: row.integer(1))
            if gone.isMeant(userName: row.optionalText(3), email: row.optionalText(4), phone: row.optionalText(5)) {
                isFull = found.count >= Self.sharesTogether(limit) && !found.contains(position)
                if isFull { return false }
                found.insert(position)
            }
            looked += 1
            (place.database, place.share, place.person) = (position.database, position.share, row.text(2))
            return true
        }
        for position in found.sorted(by: { ($0.database, $0.share) < ($1.database, $1.share) }) {
            try leave(position, gone)
        }
        return isFull || looked == limit ? place : nil
    }

    /// A share by its rows.
    private struct SharePosition: Hashable {
        let database, share: Int64
    }

    private func leave(_ position: SharePosition, _ gone: ErasedPerson) throws {
        for user in gone.users {
            try connection.post(
                "DELETE FROM membership WHERE db = ?1 AND share = ?2 AND user_name = ?3", .integer(position.database),
                .integer(position.share), .text(user.name))
        }
        guard let place = try sharePlace(ofShare: position.share, database: position.database) else { return }
        var share = place.share
        share.people.removeAll { gone.isMeant(userName: $0.userName, email: $0.email, phone: $0.phone) }
        guard share != place.share else { return }
        _ = try change(place, to: share, by: Writer(userName: place.database.id.owner))
    }

    /// Forgets what a user took part in.
    /// - Returns: Whether nothing is left.
    func forgetMemberships(of user: ErasedPerson.User, limit: Int) throws -> Bool {
        let key = "container, environment, user_name, db, share"
        let sql = """
            DELETE FROM membership WHERE (\(key)) IN
                (SELECT \(key) FROM membership WHERE container = ?1 AND environment = ?2 AND user_name = ?3 LIMIT ?4)
            """
        for environment in CloudEnvironment.allCases {
            let count = try connection.execute(
                sql, .text(user.container.rawValue), .text(environment.rawValue), .text(user.name),
                .integer(Int64(limit)))
            if count >= limit { return false }
        }
        return true
    }
}
