import CloudCore
@testable import CloudStorage
import SQLCore

/// What people do with shares.
extension StoredOperation {
    /// Two trees of Alice's, one of them shared with Carl, who takes part, and Dora, who is invited. Short GUIDs are drawn
    /// here, so that the operations draw none.
    static func prepareSharing(_ transaction: CloudTransaction) throws {
        for name in ["carl", "dora", "eve"] {
            let account = try transaction.addAccount(email: "\(name)@example.com", passwordHash: nil)
            _ = try transaction.userName(of: account.id, in: container)
        }
        func note(_ name: String, parent: String? = nil) -> RecordOperation {
            RecordOperation(
                type: .create, id: RecordID(name: name, zone: zone), recordType: "Note",
                parent: parent.map { .some($0) }, createShortGUID: parent == nil)
        }
        let results = try transaction.modify(
            [
                note("shared"), note("shared leaf", parent: "shared"), note("tree"),
                note("leaf of tree", parent: "tree"),
                share(.create, "S", root: "shared", guests: ["carl", "dora"], asks: true),
            ], in: database, zone: zone, atomic: true, by: alice)
        for result in results { _ = try result.get() }
        _ = try accept("carl", transaction)
    }

    private static func share(
        _ type: RecordOperationType, _ name: String, root: String? = nil, guests: [String], asks: Bool? = nil
    ) -> RecordOperation {
        RecordOperation(
            type: type, id: RecordID(name: name, zone: zone), recordType: Sharing.recordType,
            sharing: SharingDraft(
                root: root,
                participants: guests.map {
                    ShareParticipant(
                        id: $0,
                        identity: UserIdentity(userRecordName: nil, lookup: .emailAddress("\($0)@example.com")))
                }, allowsAccessRequests: asks))
    }

    /// Somebody's account, and what he writes as.
    private static func person(_ name: String, _ transaction: CloudTransaction) throws -> (
        account: Int64, writer: Writer
    ) {
        guard let account = try transaction.account(email: "\(name)@example.com") else {
            throw CloudError(.internalError, "\(name) has no account")
        }
        return (account.id, Writer(userName: try transaction.userName(of: account.id, in: container)))
    }

    /// The link of the share `S`.
    private static func link(_ transaction: CloudTransaction) throws -> ShareLink {
        let share = try transaction.records(["S"], zone: zone, in: database)[0]
        return ShareLink(shortGUID: share?.shortGUID ?? "")
    }

    private static func accept(_ name: String, _ transaction: CloudTransaction) throws -> ShareMetadata {
        let (account, writer) = try person(name, transaction)
        return try transaction.acceptShare(link(transaction), in: database, for: account, by: writer)
    }

    /// An operation on share records.
    private static func modify(
        _ store: CloudStore, by name: String? = nil, _ operation: @escaping @Sendable (Record?) -> RecordOperation
    ) async throws {
        try await store.write(for: database) { transaction in
            let writer = try name.map { try person($0, transaction).writer } ?? alice
            let known = try transaction.records(["S"], zone: zone, in: database)[0]
            let results = try transaction.modify(
                [operation(known)], in: database, zone: zone, atomic: true, by: writer)
            _ = try results[0].get()
        }
    }

    static let sharing = [
        StoredOperation(description: "a share of a tree", whenDone: [.exists]) { store in
            try await modify(store) { _ in share(.create, "T", root: "tree", guests: ["carl", "eve"]) }
        },
        StoredOperation(description: "an acceptance") { store in
            try await store.write(for: database) { _ = try accept("dora", $0) }
        },
        StoredOperation(description: "a request for access") { store in
            try await store.write(for: database) { transaction in
                let (account, writer) = try person("eve", transaction)
                try transaction.requestAccess(link(transaction), in: database, for: account, by: writer)
            }
        },
        StoredOperation(description: "a removal of everybody") { store in
            try await modify(store) { known in
                var operation = share(.update, "S", guests: [])
                operation.changeTag = known?.changeTag
                return operation
            }
        },
        StoredOperation(description: "a participant's leaving", whenDone: [.accessDenied]) { store in
            try await modify(store, by: "carl") { _ in
                RecordOperation(type: .delete, id: RecordID(name: "S", zone: zone))
            }
        },
        StoredOperation(description: "a removed participant's departure", whenDone: [.notFound]) { store in
            try await store.write { transaction in
                try transaction.removeAccount(transaction.requireAccount(email: "carl@example.com"))
                while try transaction.continueErasure(limit: 1000) != nil {}
            }
        },
        StoredOperation(description: "the erasure of an owner") { store in
            try await store.write { transaction in
                try transaction.connection.post(
                    "INSERT INTO erasure (account, container, user_name) VALUES (999, ?1, ?2)",
                    .text(container.rawValue), .text(alice.userName))
                while try transaction.continueErasure(limit: 1000) != nil {}
            }
        },
        StoredOperation(description: "the end of a share") { store in
            try await modify(store) { _ in RecordOperation(type: .delete, id: RecordID(name: "S", zone: zone)) }
        },
    ]
}
