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
        case .text: fields[TextIndex.fieldName]
        }
    }
}

/// The schema of one container and environment during one call. Lives no longer than the transaction, so a
/// rollback leaves nothing stale behind.
final class SchemaSession {
    private let transaction: CloudTransaction
    private let database: DatabaseID
    private let scope: SchemaScope
    private var loaded: Schema?

    init(_ transaction: CloudTransaction, _ database: DatabaseID) {
        self.transaction = transaction
        self.database = database
        scope = SchemaScope(database)
    }

    private var connection: any SQLConnection { transaction.connection }

    /// The whole schema: from the thread's cache if its version is the one that this transaction sees.
    @discardableResult
    func load() throws -> Schema {
        if let loaded { return loaded }
        let schema = try transaction.schema(scope) { try read() }
        loaded = schema
        return schema
    }

    private func read() throws -> Schema {
        var types: [(id: Int64, name: String)] = []
        try connection.query(
            "SELECT id, name FROM record_type WHERE container = ?1 AND environment = ?2",
            [.text(scope.container.rawValue), .text(scope.environment.rawValue)]
        ) { row in
            types.append((row.integer(0), row.text(1)))
            return true
        }
        let fields = try fields(of: types.map(\.id))
        var schema = Schema()
        for (type, fields) in zip(types, fields) {
            schema.keep(RecordTypeSchema(id: type.id, name: type.name, fields: fields))
        }
        return schema
    }

    private func fields(of types: [Int64]) throws -> [[String: RecordTypeSchema.Field]] {
        var fields = [[String: RecordTypeSchema.Field]](repeating: [:], count: types.count)
        try connection.query(
            "SELECT id, name, value_type FROM field WHERE type = ?1", each: types.map { [.integer($0)] }
        ) { type, row in
            fields[type][row.text(1)] = .init(id: row.integer(0), type: FieldType(schemaCode: row.integer(2)))
        }
        return fields
    }

    func type(named name: String) throws -> RecordTypeSchema? { try load().types[name] }

    func typeName(_ id: Int64) throws -> String { try load().namesByID[id] ?? "" }

    /// The type, made when it is new and this is development.
    func typeForWriting(named name: String) throws -> RecordTypeSchema {
        if let known = try type(named: name) { return known }
        let isSystem = name == Sharing.recordType
        if !isSystem, let violation = NameRule.identifierViolation(in: name, of: "record type") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        guard isSystem || database.environment == .development else {
            throw CloudError(.badRequest, "Cannot create new type \(name) in production schema", nativeCode: 11)
        }
        try load()
        try transaction.willChangeSchema(scope)
        try connection.post(
            "INSERT INTO record_type (container, environment, name) VALUES (?1, ?2, ?3)",
            .text(scope.container.rawValue), .text(scope.environment.rawValue), .text(name))
        let made = try connection.first(
            "SELECT id FROM record_type WHERE container = ?1 AND environment = ?2 AND name = ?3",
            .text(scope.container.rawValue), .text(scope.environment.rawValue), .text(name)
        ) { $0.integer(0) }
        guard let made else { throw CloudError(.internalError, "record type \(name) is lost") }
        let system: [(SystemField, ScalarType)] = [
            (.createdTimestamp, .timestamp), (.modifiedTimestamp, .timestamp), (.createdUserRecordName, .reference),
            (.modifiedUserRecordName, .reference),
        ]
        for (field, type) in system { try insertField(field.schemaName, .scalar(type), of: made) }
        try insertField(TextIndex.fieldName, .scalar(.string), of: made)
        return try reload(made, name)
    }

    private func insertField(_ name: String, _ value: FieldType, of type: Int64) throws {
        try connection.post(
            "INSERT INTO field (type, name, value_type) VALUES (?1, ?2, ?3)", .integer(type), .text(name),
            .integer(value.schemaCode))
    }

    /// Reads a type again that has just been changed.
    @discardableResult
    private func reload(_ id: Int64, _ name: String) throws -> RecordTypeSchema {
        let type = RecordTypeSchema(id: id, name: name, fields: try fields(of: [id])[0])
        loaded?.keep(type)
        return type
    }

    /// - Throws: `badRequest` when the fields that are new would be more than a type may have.
    func requireRoom(for drafts: [FieldDraft], in known: RecordTypeSchema?, named name: String) throws(CloudError) {
        let new = drafts.count { $0.value != nil && known?.fields[$0.name] == nil }
        guard new > 0 else { return }
        let count = (known?.fields.keys.count { !$0.hasPrefix("_") } ?? 0) + new
        let limit = transaction.limits.fieldsPerType
        guard count > limit else { return }
        throw CloudError(
            .badRequest, "record type '\(name)' would have \(count) fields; at most \(limit) are allowed",
            nativeCode: 27)
    }

    /// The draft's value as the schema's type; a new field gets the type of its first value.
    func conform(_ draft: FieldDraft, _ value: FieldValue, in schema: RecordTypeSchema) throws -> FieldValue {
        guard let field = try type(named: schema.name)?.fields[draft.name] else {
            let isSystem = schema.name == Sharing.recordType && Sharing.systemFields[draft.name] != nil
            guard isSystem || database.environment == .development else {
                throw CloudError(
                    .badRequest, "Cannot create new field \(draft.name) of type \(schema.name) in production schema",
                    nativeCode: 12)
            }
            try transaction.willChangeSchema(scope)
            try insertField(draft.name, value.type, of: schema.id)
            let made = try connection.first(
                "SELECT id FROM field WHERE type = ?1 AND name = ?2", .integer(schema.id), .text(draft.name)
            ) { $0.integer(0) }
            guard let made else { throw CloudError(.internalError, "the field '\(draft.name)' is lost") }
            loaded?.keep(.init(id: made, type: value.type), named: draft.name, of: schema.name)
            return value
        }
        if case .unknownList = field.type, case .list = value.type {
            try transaction.willChangeSchema(scope)
            let changed = try connection.execute(
                "UPDATE field SET value_type = ?2 WHERE id = ?1 AND value_type = ?3", .integer(field.id),
                .integer(value.type.schemaCode), .integer(field.type.schemaCode))
            guard changed == 1 else {
                throw SQLError(.serialization, "another transaction gave the field '\(draft.name)' its type")
            }
            loaded?.keep(.init(id: field.id, type: value.type), named: draft.name, of: schema.name)
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
