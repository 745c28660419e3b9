import CloudCore

/// Checks of a field's value that need neither schema nor other records.
enum FieldCheck {
    /// The value as it is stored, or a refusal that names the field.
    static func checked(_ value: FieldValue, field: String, zone: ZoneID) throws -> FieldValue {
        switch value {
        case .double(let number):
            guard number.isFinite else {
                throw CloudError(.badRequest, "field '\(field)' is \(number), which is not a number", nativeCode: 12)
            }
            return value
        case .reference(var reference):
            guard !reference.recordName.isEmpty else {
                throw CloudError(.badRequest, "field '\(field)' refers to an empty record name", nativeCode: 12)
            }
            if let target = reference.zone, target.name != zone.name || target.owner != zone.owner {
                throw CloudError(
                    .badRequest,
                    "field '\(field)' refers to a record of zone '\(target.name)'; references do not leave their zone "
                        + "'\(zone.name)'", nativeCode: 31)
            }
            reference.zone = nil
            return .reference(reference)
        case .location(let location):
            if let violation = location.violation {
                throw CloudError(.badRequest, "field '\(field)' \(violation)", nativeCode: 12)
            }
            return value
        case .list(let element, let values):
            let checked = try values.map { try self.checked($0, field: field, zone: zone) }
            guard let element = element ?? scalarType(checked.first) else { return .list(nil, []) }
            if let other = checked.first(where: { $0.type != .scalar(element) }) {
                throw CloudError(
                    .badRequest,
                    "field '\(field)' mixes elements of type \(element.wireName) and \(other.type.wireName)",
                    nativeCode: 12)
            }
            return .list(element, checked)
        case .string, .int64, .timestamp, .bytes, .asset: return value
        }
    }

    /// - Throws: `BAD_REQUEST` unless the draft clears the field or has a value of that type.
    static func require(_ type: ScalarType, of draft: FieldDraft) throws {
        guard let value = draft.value, value.conformed(to: .scalar(type), isTyped: draft.isTyped) == nil else { return }
        throw CloudError(
            .badRequest,
            "invalid attempt to set value type \(value.type.wireName) for field '\(draft.name)', defined to be: "
                + type.wireName, nativeCode: 12)
    }

    private static func scalarType(_ value: FieldValue?) -> ScalarType? {
        if case .scalar(let type)? = value?.type { type } else { nil }
    }

    /// What counts towards the limit of a record: names and values, not the coding around them.
    static func bytes(of fields: [String: FieldValue]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf8.count + bytes(of: $1.value) }
    }

    private static func bytes(of value: FieldValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .int64, .double, .timestamp: 8
        case .reference(let reference): reference.recordName.utf8.count
        case .asset: 72  // what names it; its bytes do not count
        case .location(let location):
            16 + 8 * (location.details.count { $0 != nil } + (location.timestamp == nil ? 0 : 1))
        case .list(_, let values): values.reduce(0) { $0 + bytes(of: $1) }
        }
    }
}
