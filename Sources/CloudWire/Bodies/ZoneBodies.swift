package import CloudCore

/// A zone as `zones/…` answers it.
package struct WireZone: Hashable, Sendable {
    package var id: ZoneID
    /// Absent for the default zone.
    package var syncToken: String?
    /// Whether records of the zone, or the zone, may be shared.
    package var isEligibleForShare: Bool
    /// Whether the zone is shared as a whole; our addition names the share record, `share`.
    package var isShared: Bool

    package init(id: ZoneID, syncToken: String? = nil, isEligibleForShare: Bool = false, isShared: Bool = false) {
        self.id = id
        self.syncToken = syncToken
        self.isEligibleForShare = isEligibleForShare
        self.isShared = isShared
    }
}

/// One item of the `zones` of `zones/list|lookup|modify`.
package enum ZoneItem: Hashable, Sendable {
    case zone(WireZone)
    case deleted(ZoneID)
    case failure(ZoneID, CloudError, uuid: String)
}

/// `zones/lookup`
package struct ZonesLookupRequest: Hashable, Sendable {
    package var zones: [WireZoneID]
    package init(zones: [WireZoneID]) { self.zones = zones }
}

/// One operation of `zones/modify`.
package enum ZoneOperation: Hashable, Sendable {
    case create(WireZoneID)
    case delete(WireZoneID)
}

/// `zones/modify`
package struct ZonesModifyRequest: Hashable, Sendable {
    package var operations: [ZoneOperation]
    package init(operations: [ZoneOperation]) { self.operations = operations }
}

/// The answer of `zones/list`, `zones/lookup` and `zones/modify`.
package struct ZonesResponse: Hashable, Sendable {
    package var zones: [ZoneItem]
    package init(zones: [ZoneItem]) { self.zones = zones }
}

package typealias ZonesListResponse = ZonesResponse
package typealias ZonesLookupResponse = ZonesResponse
package typealias ZonesModifyResponse = ZonesResponse

/// `changes/database`, and the older `zones/changes`
package struct ChangesDatabaseRequest: Hashable, Sendable {
    /// `syncToken` or `metaSyncToken`.
    package var syncToken: String?
    package var resultsLimit: Int?

    package init(syncToken: String? = nil, resultsLimit: Int? = nil) {
        self.syncToken = syncToken
        self.resultsLimit = resultsLimit
    }
}

/// One item of the `zones` of `changes/database`.
package enum ZoneChangeItem: Hashable, Sendable {
    case changed(ZoneID)
    /// `isPurged`: with all that its owner had stored; our addition to the wire (`purged`).
    case deleted(ZoneID, isPurged: Bool = false)
    case failure(ZoneID, CloudError, uuid: String)
}

package struct ChangesDatabaseResponse: Hashable, Sendable {
    package var zones: [ZoneChangeItem]
    package var syncToken: String
    package var moreComing: Bool

    package init(zones: [ZoneChangeItem], syncToken: String, moreComing: Bool) {
        self.zones = zones
        self.syncToken = syncToken
        self.moreComing = moreComing
    }
}

/// `changes/zone`
package struct ChangesZoneRequest: Hashable, Sendable {
    /// One zone's part. In a decoded request the request-wide values are already merged in.
    package struct Entry: Hashable, Sendable {
        package var zone: WireZoneID
        package var syncToken: String?
        package var resultsLimit: Int?
        package var desiredKeys: [String]?
        package var desiredRecordTypes: [String]?
        package var reverse: Bool
        package var numbersAsStrings: Bool

        package init(
            zone: WireZoneID, syncToken: String? = nil, resultsLimit: Int? = nil, desiredKeys: [String]? = nil,
            desiredRecordTypes: [String]? = nil, reverse: Bool = false, numbersAsStrings: Bool = false
        ) {
            self.zone = zone
            self.syncToken = syncToken
            self.resultsLimit = resultsLimit
            self.desiredKeys = desiredKeys
            self.desiredRecordTypes = desiredRecordTypes
            self.reverse = reverse
            self.numbersAsStrings = numbersAsStrings
        }
    }

    package var zones: [Entry]
    package init(zones: [Entry]) { self.zones = zones }
}

/// The changes of one zone.
package struct WireZoneChanges: Hashable, Sendable {
    package var zone: ZoneID
    package var records: [RecordItem]
    package var syncToken: String
    package var moreComing: Bool
    /// Whether to write numbers as strings; not part of the body.
    package var numbersAsStrings: Bool

    package init(
        zone: ZoneID, records: [RecordItem], syncToken: String, moreComing: Bool, numbersAsStrings: Bool = false
    ) {
        self.zone = zone
        self.records = records
        self.syncToken = syncToken
        self.moreComing = moreComing
        self.numbersAsStrings = numbersAsStrings
    }
}

/// One item of the `zones` of `changes/zone`: one per zone of the request, in order.
package enum ZoneChangesItem: Hashable, Sendable {
    case changes(WireZoneChanges)
    case failure(ZoneID, CloudError, uuid: String)
}

package struct ChangesZoneResponse: Hashable, Sendable {
    package var zones: [ZoneChangesItem]
    package init(zones: [ZoneChangesItem]) { self.zones = zones }
}
