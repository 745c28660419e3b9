import SQLCore

extension CloudSchema {
    /// Format 4: expired pushes are found whoever they wait for.
    static func pushExpiry(_ dialect: SQLDialect) -> String { "CREATE INDEX push_expires ON push (expires);\n" }
}
