package import CloudCore

/// A zone as a request names it.
package struct WireZoneID: Hashable, Sendable {
    package var zoneName: String
    /// `nil` means the caller, in the public database the container. Placeholders like `_defaultOwner` read as `nil`.
    package var ownerRecordName: String?

    package init(zoneName: String, ownerRecordName: String? = nil) {
        self.zoneName = zoneName
        self.ownerRecordName = ownerRecordName
    }

    package init(_ zone: ZoneID) {
        self.init(zoneName: zone.name, ownerRecordName: ZoneID.isPlaceholder(zone.owner) ? nil : zone.owner)
    }

    package static let `default` = WireZoneID(zoneName: ZoneID.defaultName)

    /// The zone, with `owner` where the request named none.
    package func resolved(owner: String) -> ZoneID { ZoneID(name: zoneName, owner: ownerRecordName ?? owner) }

    /// The zone with ``ZoneID/unresolvedOwner`` where the request named no owner.
    package var unresolved: ZoneID { resolved(owner: ZoneID.unresolvedOwner) }
}

extension ZoneID {
    /// The owner of a zone inside a decoded request (a reference, a filter, a subscription) that named none;
    /// `resolvingOwner(_:)` replaces it.
    package static let unresolvedOwner = ""

    /// Whether an owner name only means "the caller".
    package static func isPlaceholder(_ owner: String) -> Bool {
        owner.isEmpty || owner == "_defaultOwner" || owner == "__defaultOwner__"
    }

    package func resolvingOwner(_ owner: String) -> ZoneID {
        self.owner.isEmpty ? ZoneID(name: name, owner: owner) : self
    }
}

extension FieldValue {
    /// The value with `owner` as the owner of every referred zone that named none.
    package func resolvingOwner(_ owner: String) -> FieldValue {
        switch self {
        case .reference(var reference):
            guard let zone = reference.zone, zone.owner.isEmpty else { return self }
            reference.zone = zone.resolvingOwner(owner)
            return .reference(reference)
        case .list(.reference?, let elements):
            return .list(.reference, elements.map { $0.resolvingOwner(owner) })
        default:
            return self
        }
    }
}

extension FieldDraft {
    package func resolvingOwner(_ owner: String) -> FieldDraft {
        guard let value else { return self }
        switch value {
        case .reference, .list(.reference?, _):
            return FieldDraft(name: name, value: value.resolvingOwner(owner), isTyped: isTyped)
        default:
            return self
        }
    }
}

extension RecordQuery {
    package func resolvingOwner(_ owner: String) -> RecordQuery {
        var copy = self
        for index in copy.filters.indices {
            copy.filters[index].value = copy.filters[index].value.resolvingOwner(owner)
        }
        return copy
    }
}

extension Subscription {
    package func resolvingOwner(_ owner: String) -> Subscription {
        var copy = self
        switch kind {
        case .query(let query, let zone, let firesOn, let firesOnce):
            copy.kind = .query(
                query.resolvingOwner(owner), zone: zone?.resolvingOwner(owner), firesOn: firesOn, firesOnce: firesOnce)
        case .zone(let zone, let recordType):
            copy.kind = .zone(zone.resolvingOwner(owner), recordType: recordType)
        case .database:
            break
        }
        return copy
    }
}
