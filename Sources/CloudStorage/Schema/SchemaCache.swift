import CloudCore

/// The record types of one container and environment.
struct Schema {
    private(set) var types: [String: RecordTypeSchema] = [:]
    private(set) var namesByID: [Int64: String] = [:]

    mutating func keep(_ type: RecordTypeSchema) {
        types[type.name] = type
        namesByID[type.id] = type.name
    }

    /// Adds or changes one field of a known type.
    mutating func keep(_ field: RecordTypeSchema.Field, named name: String, of type: String) {
        types[type]?.fields[name] = field
    }
}

/// Whose schema is meant: databases of one container and environment share one.
struct SchemaScope: Hashable {
    let container: ContainerID
    let environment: CloudEnvironment

    init(_ database: DatabaseID) {
        container = database.container
        environment = database.environment
    }
}

/// What a thread remembers of the schemas between transactions. Used by one thread only.
///
/// A schema is used only by a transaction that reads the same version of it. Versions are drawn at random by every
/// change, so that one which was undone is never met again.
package final class SchemaCache {
    private var schemas: [SchemaScope: (version: Int64, schema: Schema)] = [:]
    private var count = 0
    /// Record types kept at most.
    private static let limit = 10_000

    init() {}

    func schema(_ scope: SchemaScope, version: Int64) -> Schema? {
        guard let kept = schemas[scope], kept.version == version else { return nil }
        return kept.schema
    }

    func keep(_ schema: Schema, _ scope: SchemaScope, version: Int64) {
        count += schema.types.count - (schemas[scope]?.schema.types.count ?? 0)
        if count > Self.limit {
            schemas = [:]
            count = schema.types.count
        }
        schemas[scope] = (version, schema)
    }
}
