import CloudCore
import SQLCore

/// A record type as the schema knows it.
struct RecordTypeSchema {
    struct Field {
        let id: Int64
        let type: FieldType
    }

    let id: Int64
    let name: String
    /// By name; the system fields under their schema names.
    var fields: [String: Field]

    func field(_ field: QueryField) -> Field? {
        switch field {
        case .user(let name): fields[name]
        case .system(let system): fields[system.schemaName]
        }
    }
}

/// The schema of one container and environment during one call. Lives no longer than the transaction, so a
/// rollback leaves nothing stale behind.
final class SchemaSession {
    private let transaction: CloudTransaction
    private let database: DatabaseID
    private var byName: [String: RecordTypeSchema] = [:]
    private var namesByID: [Int64: String] = [:]

    init(_ transaction: CloudTransaction, _ database: DatabaseID) {
        self.transaction = transaction
        self.database = database
    }

    private var connection: any SQLConnection { transaction.connection }

    func forget() {
        byName = [:]
        namesByID = [:]
    }

    func type(named name: String) throws -> RecordTypeSchema? {
        if let known = byName[name] { return known }
        let key = SchemaCache.Key(container: database.container, environment: database.environment, type: name)
        if let cached = transaction.schemaCache[key] {
            byName[name] = cached
            namesByID[cached.id] = name
            return cached
        }
        let id = try connection.first(
            "SELECT id FROM record_type WHERE container = ?1 AND environment = ?2 AND name = ?3",
            .text(database.container.rawValue), .text(database.environment.rawValue), .text(name)
        ) { $0.integer(0) }
        guard let id else { return nil }
        var fields: [String: RecordTypeSchema.Field] = [:]
        try connection.query("SELECT id, name, value_type FROM field WHERE type = ?1", [.integer(id)]) { row in
            fields[row.text(1)] = .init(id: row.integer(0), type: FieldType(schemaCode: row.integer(2)))
            return true
        }
        let schema = RecordTypeSchema(id: id, name: name, fields: fields)
        byName[name] = schema
        namesByID[id] = name
        if !transaction.changesSchema { transaction.schemaCache.keep(schema, for: key) }
        return schema
    }

    func typeName(_ id: Int64) throws -> String {
        if let known = namesByID[id] { return known }
        let name = try connection.first("SELECT name FROM record_type WHERE id = ?1", .integer(id)) { $0.text(0) } ?? ""
        namesByID[id] = name
        return name
    }

    /// The type, made when it is new and this is development.
    func typeForWriting(named name: String) throws -> RecordTypeSchema {
        if let known = try type(named: name) { return known }
        if let violation = NameRule.identifierViolation(in: name, of: "record type") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        guard database.environment == .development else {
            throw CloudError(.badRequest, "Cannot create new type \(name) in production schema", nativeCode: 11)
        }
        transaction.willChangeSchema()
        try connection.execute(
            "INSERT INTO record_type (container, environment, name) VALUES (?1, ?2, ?3)",
            .text(database.container.rawValue), .text(database.environment.rawValue), .text(name))
        guard let made = try type(named: name) else { throw CloudError(.internalError, "record type \(name) is lost") }
        let system: [(SystemField, ScalarType)] = [
            (.createdTimestamp, .timestamp), (.modifiedTimestamp, .timestamp), (.createdUserRecordName, .reference),
            (.modifiedUserRecordName, .reference),
        ]
        for (field, type) in system { try addField(field.schemaName, .scalar(type), to: made) }
        byName[name] = nil
        return try typeForWriting(named: name)
    }

    private func addField(_ name: String, _ type: FieldType, to schema: RecordTypeSchema) throws {
        transaction.willChangeSchema()
        try connection.execute(
            "INSERT INTO field (type, name, value_type) VALUES (?1, ?2, ?3)", .integer(schema.id), .text(name),
            .integer(type.schemaCode))
    }

    /// The draft's value as the schema's type; a new field gets the type of its first value.
    func conform(_ draft: FieldDraft, _ value: FieldValue, in schema: RecordTypeSchema) throws -> FieldValue {
        guard let field = try type(named: schema.name)?.fields[draft.name] else {
            guard database.environment == .development else {
                throw CloudError(
                    .badRequest, "Cannot create new field \(draft.name) of type \(schema.name) in production schema",
                    nativeCode: 12)
            }
            try addField(draft.name, value.type, to: schema)
            byName[schema.name] = nil
            return value
        }
        if case .unknownList = field.type, case .list = value.type {
            transaction.willChangeSchema()
            try connection.execute(
                "UPDATE field SET value_type = ?2 WHERE id = ?1", .integer(field.id), .integer(value.type.schemaCode))
            byName[schema.name] = nil
            return value
        }
        if let fitting = value.conformed(to: field.type, isTyped: draft.isTyped) { return fitting }
        throw CloudError(
            .badRequest,
            "invalid attempt to set value type \(value.type.wireName) for field '\(draft.name)' of type "
                + "'\(schema.name)', defined to be: \(field.type.wireName)", nativeCode: 12)
    }
}

extension FieldType {
    /// The number that the `field` table keeps.
    var schemaCode: Int64 {
        switch self {
        case .scalar(let type): Int64(type.rawValue)
        case .list(let type): 16 + Int64(type.rawValue)
        case .unknownList: 16
        }
    }

    init(schemaCode: Int64) {
        let scalar = ScalarType(rawValue: UInt8(truncatingIfNeeded: schemaCode & 15))
        switch (schemaCode >= 16, scalar) {
        case (false, let type?): self = .scalar(type)
        case (true, let type?): self = .list(type)
        case (_, nil): self = .unknownList
        }
    }
}

extension FieldValue {
    /// The value as `type`: itself, an exact change between INT64 and DOUBLE, or, when the request named no type,
    /// whatever else converts without loss.
    func conformed(to type: FieldType, isTyped: Bool) -> FieldValue? {
        if self.type == type { return self }
        switch (self, type) {
        case (.int64(let number), .scalar(.double)):
            return Int64(exactly: Double(number)) == number ? .double(Double(number)) : nil
        case (.double(let number), .scalar(.int64)):
            return Int64(exactly: number).map { .int64($0) }
        case (.list(_, let values), .list(let element)):
            if values.isEmpty { return .list(element, []) }
            let converted = values.compactMap { $0.conformed(to: .scalar(element), isTyped: isTyped) }
            return converted.count == values.count ? .list(element, converted) : nil
        default:
            return isTyped ? nil : coerced(to: type)
        }
    }
}
