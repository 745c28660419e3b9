import CloudCore
import SQLCore

/// Who the people of shares are, as their container knows them.
struct ShareIdentities {
    let connection: any SQLConnection
    let container: ContainerID

    struct Name {
        let components: NameComponents?
        /// Whether everybody may know it.
        let isDiscoverable: Bool
    }

    /// The names of users who have an account, in one journey.
    func names(of users: [String]) throws -> [String: Name] {
        var names: [String: Name] = [:]
        let next = CloudTransaction.accountColumnCount
        try connection.query(
            """
            SELECT \(CloudTransaction.accountColumns), u.name, u.discoverable FROM container_user u
            JOIN account a ON a.id = u.account WHERE u.container = ?1 AND u.name = ?2
            """, each: users.map { [.text(container.rawValue), .text($0)] }
        ) { _, row in
            let account = CloudTransaction.account(row)
            names[row.text(next)] = Name(
                components: account.name.isEmpty ? nil : account.name,
                isDiscoverable: row.isNull(next + 1) ? account.isDiscoverable : row.integer(next + 1) != 0)
        }
        return names
    }
}

/// Somebody with an account, as the container of a share knows him.
struct SharePerson: Hashable {
    let userName: String
    /// In the forms in which addresses and numbers compare.
    let email: String
    let phone: String?
}

extension CloudTransaction {
    /// The person of an account in a container.
    func person(of id: Int64, in container: ContainerID) throws -> SharePerson {
        guard let account = try account(id: id) else {
            throw CloudError(.authenticationRequired, "the account is gone", nativeCode: 9)
        }
        return SharePerson(
            userName: try userName(of: id, in: container), email: account.email, phone: account.phone)
    }
}
