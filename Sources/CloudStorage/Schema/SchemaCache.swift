import CloudCore

/// What the writer remembers of the schema between transactions. Used by one thread only.
///
/// Nothing that its transaction may still undo is kept: a transaction that changes the schema empties the cache and
/// keeps nothing from then on, and a commit that fails empties it too.
package final class SchemaCache {
    struct Key: Hashable {
        let container: ContainerID
        let environment: CloudEnvironment
        let type: String
    }

    private var types: [Key: RecordTypeSchema] = [:]
    private static let limit = 10_000

    init() {}

    subscript(_ key: Key) -> RecordTypeSchema? { types[key] }

    func keep(_ schema: RecordTypeSchema, for key: Key) {
        if types.count >= Self.limit { types = [:] }
        types[key] = schema
    }

    func forget() { types = [:] }
}
