/// The words in which one database's SQL differs from another's. Whoever writes SQL asks it; nobody asks which
/// database it is.
package struct SQLDialect: Sendable {
    /// The type and constraint of a row's own number, which the database hands out.
    package var identity: String
    /// The type of a byte string.
    package var bytes: String
    /// The type of text that compares by its UTF-8 bytes.
    package var text: String
    /// Opens a transaction that will write.
    package var beginWrite: String
    /// Opens a transaction that reads one snapshot.
    package var beginRead: String
    /// Ends a SELECT of a row that the transaction is about to change; others who select it so wait for its end.
    package var lock: String
    /// As ``lock``, but leaves rows out that others hold; empty where one transaction writes at a time.
    package var lockFree: String
    /// Whether each call that waits is a journey over a network, so that it pays to ask for much at once and ahead.
    package var isRemote: Bool
    /// What a connection is set to whose statements seek single rows by their keys; empty for nothing.
    package var keyedSettings: String

    /// The type of a whole number of 64 bits.
    package var number: String
    /// The key of a table whose rows have a number `id` and belong to a database `db`.
    package var rowKey: String
    /// Ends the definition of a table whose rows are to lie in the order of its key.
    package var clustered: String
    /// The statement that tells every listener when the transaction commits; empty where there are none.
    package var notify: String
    /// Begins the statement that renews what the planner knows of the rows of the tables that follow; `nil` where its plans do not rest on that.
    package var analyze: String?
    /// Begins the statement that tells the planner that the columns which follow depend on each other; `nil` where its
    /// plans do not rest on that. The rest is `name (dependencies) ON columns FROM table`.
    package var relate: String?
    /// Whether a row's number may be that of a row which is gone.
    package var reusesNumbers: Bool

    package init(
        identity: String, bytes: String, text: String, beginWrite: String, beginRead: String, lock: String,
        lockFree: String = "", isRemote: Bool = false, keyedSettings: String = "", number: String = "BIGINT",
        rowKey: String = "PRIMARY KEY (db, id)", clustered: String = "", notify: String = "",
        analyze: String? = nil, relate: String? = nil, reusesNumbers: Bool = false
    ) {
        self.identity = identity
        self.bytes = bytes
        self.text = text
        self.beginWrite = beginWrite
        self.beginRead = beginRead
        self.lock = lock
        self.lockFree = lockFree
        self.isRemote = isRemote
        self.keyedSettings = keyedSettings
        self.number = number
        self.rowKey = rowKey
        self.clustered = clustered
        self.notify = notify
        self.analyze = analyze
        self.relate = relate
        self.reusesNumbers = reusesNumbers
    }
}
