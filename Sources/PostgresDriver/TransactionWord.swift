/// What a statement does to the transaction, by its first words.
enum TransactionWord {
    case begin, commit, rollback, rollbackTo, savepoint, release
    /// Anything else: it runs inside the transaction, or in one of its own.
    case none

    init(_ sql: String) {
        // Most statements are told by their first letter.
        guard let first = sql.utf8.first(where: { !Self.isBlank($0) }), "BbCcEeAaSsRr".utf8.contains(first) else {
            self = .none
            return
        }
        let words = sql.utf8.prefix(64).split(maxSplits: 3, omittingEmptySubsequences: true) {
            Self.isBlank($0) || $0 == UInt8(ascii: ";")
        }
        .prefix(3).map { String(decoding: $0, as: UTF8.self).uppercased() }
        switch words.first {
        case "BEGIN": self = .begin
        case "START": self = words.dropFirst().first == "TRANSACTION" ? .begin : .none
        case "COMMIT", "END": self = .commit
        case "ROLLBACK", "ABORT": self = words.dropFirst().contains("TO") ? .rollbackTo : .rollback
        case "SAVEPOINT": self = .savepoint
        case "RELEASE": self = .release
        default: self = .none
        }
    }

    /// The name at the end of a SAVEPOINT or ROLLBACK TO.
    static func savepointName(_ sql: String) -> String {
        let words = sql.split { $0.isWhitespace || $0 == ";" }
        return words.last.map(String.init) ?? ""
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}

/// Where a connection's transaction stands.
enum TransactionState {
    /// Every statement is a transaction of its own.
    case none
    case open
    /// Nothing runs until the caller rolls back; the error is the one that ended it.
    case failed(SQLError)
}

import SQLCore
