import CloudCore

/// What an operation is checked for, and how it is refused.
extension ModifySession {
    /// The operation's fields after every check that needs neither schema nor other records.
    func checkedDrafts(_ operation: RecordOperation, isShare: Bool) throws -> [FieldDraft] {
        var drafts = operation.fields
        var names: Set<String> = []
        if drafts.count > 1 { names.reserveCapacity(drafts.count) }
        for position in drafts.indices {
            let name = drafts[position].name
            if isShare, let type = Sharing.systemFields[name] {
                try FieldCheck.require(type, of: drafts[position])
            } else if let violation = NameRule.identifierViolation(in: name, of: "field name") {
                throw CloudError(.badRequest, violation, nativeCode: 12)
            }
            guard drafts.count == 1 || names.insert(name).inserted else {
                throw CloudError(.badRequest, "field '\(name)' is given twice", nativeCode: 12)
            }
            if let value = drafts[position].value {
                drafts[position].value = try FieldCheck.checked(value, field: name, zone: table.zone.id)
            }
        }
        return drafts
    }

    func checkSize(_ record: Record) throws {
        let size = FieldCheck.bytes(of: record.fields)
        guard size <= transaction.limits.recordBytes else {
            throw CloudError(
                .badRequest,
                "record '\(record.id.name)' has \(size) bytes; at most \(transaction.limits.recordBytes) are allowed",
                nativeCode: 27)
        }
    }

    /// Only references that are new in this save are checked: those that were there may have lost their target since.
    func check(_ references: Set<ReferenceEntry>, of record: Record, old: Record?) throws {
        guard !references.isEmpty else { return }
        for entry in references.subtracting(old.map(ReferenceEntry.entries) ?? []) {
            let target = entry.target.text
            if entry.target != ExactName(record.id.name), try visibleRecord(named: target) == nil {
                guard promised.contains(entry.target) else {
                    throw CloudError(
                        .validatingReferenceError,
                        "record '\(record.id.name)' refers to record '\(target)', which does not exist",
                        nativeCode: 31)
                }
                reliedOn.insert(entry.target)
            }
            let limit = transaction.limits.owningReferences
            if entry.kind == .deleteSelf, try rows.sources(of: target, kind: .deleteSelf).count >= limit {
                throw CloudError(
                    .badRequest, "record '\(target)' already has \(limit) owning references, the most allowed",
                    nativeCode: 27)
            }
        }
    }

    /// Whether a tag is the record's, or was when the request came: sharing in the same request changed it since.
    func isCurrent(_ tag: String?, of record: Record) -> Bool {
        tag == record.changeTag || tag != nil && tag == sharing.earlierTags[ExactName(record.id.name)]
    }

    func notFound(_ name: String) -> CloudError {
        CloudError(.notFound, "Record '\(name)' not found", nativeCode: 11)
    }

    func exists(_ record: Record) throws -> CloudError {
        CloudError(.exists, "record to insert already exists", nativeCode: 14, serverRecord: try shown(record))
    }

    func conflict(_ record: Record) throws -> CloudError {
        CloudError(
            .conflict, "client oplock error updating record", nativeCode: 14, serverRecord: try shown(record))
    }
}
