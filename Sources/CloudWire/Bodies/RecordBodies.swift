package import CloudCore

/// One item of an answer's `records`.
package enum RecordItem: Hashable, Sendable {
    case record(Record)
    /// `recordType` is our addition (`deletedRecordType`).
    case deleted(RecordID, recordType: String?)
    case failure(recordName: String, CloudError, uuid: String)
}

/// `records/query`
package struct RecordsQueryRequest: Hashable, Sendable {
    package var query: RecordQuery
    package var zone: WireZoneID?
    package var zoneWide: Bool
    package var resultsLimit: Int?
    package var continuationMarker: String?
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool
    package var getCurrentSyncToken: Bool

    package init(
        query: RecordQuery, zone: WireZoneID? = nil, zoneWide: Bool = false, resultsLimit: Int? = nil,
        continuationMarker: String? = nil, desiredKeys: [String]? = nil, numbersAsStrings: Bool = false,
        getCurrentSyncToken: Bool = false
    ) {
        self.query = query
        self.zone = zone
        self.zoneWide = zoneWide
        self.resultsLimit = resultsLimit
        self.continuationMarker = continuationMarker
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
        self.getCurrentSyncToken = getCurrentSyncToken
    }
}

package struct RecordsQueryResponse: Hashable, Sendable {
    package var records: [RecordItem]
    package var continuationMarker: String?
    package var syncToken: String?
    /// Whether to write numbers as strings; not part of the body.
    package var numbersAsStrings: Bool

    package init(
        records: [RecordItem], continuationMarker: String? = nil, syncToken: String? = nil,
        numbersAsStrings: Bool = false
    ) {
        self.records = records
        self.continuationMarker = continuationMarker
        self.syncToken = syncToken
        self.numbersAsStrings = numbersAsStrings
    }
}

/// `records/changes`, the older form of `changes/zone` for one zone.
package struct RecordsChangesRequest: Hashable, Sendable {
    package var zone: WireZoneID
    package var syncToken: String?
    package var resultsLimit: Int?
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool

    package init(
        zone: WireZoneID, syncToken: String? = nil, resultsLimit: Int? = nil, desiredKeys: [String]? = nil,
        numbersAsStrings: Bool = false
    ) {
        self.zone = zone
        self.syncToken = syncToken
        self.resultsLimit = resultsLimit
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }
}

package struct RecordsChangesResponse: Hashable, Sendable {
    package var records: [RecordItem]
    package var syncToken: String
    package var moreComing: Bool
    /// Whether to write numbers as strings; not part of the body.
    package var numbersAsStrings: Bool

    package init(records: [RecordItem], syncToken: String, moreComing: Bool, numbersAsStrings: Bool = false) {
        self.records = records
        self.syncToken = syncToken
        self.moreComing = moreComing
        self.numbersAsStrings = numbersAsStrings
    }
}

/// `records/lookup`
package struct RecordsLookupRequest: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var recordName: String
        /// The record's own keys, else the request's; `nil` means all.
        package var desiredKeys: [String]?
        /// Overrides the request's zone.
        package var zone: WireZoneID?

        package init(recordName: String, desiredKeys: [String]? = nil, zone: WireZoneID? = nil) {
            self.recordName = recordName
            self.desiredKeys = desiredKeys
            self.zone = zone
        }
    }

    package var records: [Entry]
    package var zone: WireZoneID?
    /// Already merged into the entries of a decoded request.
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool

    package init(
        records: [Entry], zone: WireZoneID? = nil, desiredKeys: [String]? = nil, numbersAsStrings: Bool = false
    ) {
        self.records = records
        self.zone = zone
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }
}

/// The answer of `records/lookup` and `records/modify`: one item per item of the request, in order.
package struct RecordsResponse: Hashable, Sendable {
    package var records: [RecordItem]
    /// Whether to write numbers as strings; not part of the body.
    package var numbersAsStrings: Bool

    package init(records: [RecordItem], numbersAsStrings: Bool = false) {
        self.records = records
        self.numbersAsStrings = numbersAsStrings
    }
}

package typealias RecordsLookupResponse = RecordsResponse
package typealias RecordsModifyResponse = RecordsResponse

/// One operation of `records/modify` as the request gives it.
package struct WireRecordOperation: Hashable, Sendable {
    package var type: RecordOperationType
    /// `nil`: the server makes a name (only `create`).
    package var recordName: String?
    package var recordType: String?
    package var changeTag: String?
    /// The record's own zone; the server checks it against the request's.
    package var zone: WireZoneID?
    /// Referred zones without an owner have ``ZoneID/unresolvedOwner``.
    package var fields: [FieldDraft]
    /// `nil`: the request does not speak of the parent. `.some(nil)`: it clears it.
    package var parent: String??
    /// The zone that the request names with the parent, and with the root of a share; the server checks it against the
    /// record's own.
    package var parentZone: WireZoneID?
    package var rootZone: WireZoneID?
    package var createShortGUID: Bool
    /// Of a share record.
    package var sharing: SharingDraft?
    /// The operation's own, else the request's; `nil` means all.
    package var desiredKeys: [String]?

    package init(
        type: RecordOperationType, recordName: String?, recordType: String? = nil, changeTag: String? = nil,
        zone: WireZoneID? = nil, fields: [FieldDraft] = [], parent: String?? = nil, createShortGUID: Bool = false,
        sharing: SharingDraft? = nil, desiredKeys: [String]? = nil
    ) {
        self.type = type
        self.recordName = recordName
        self.recordType = recordType
        self.changeTag = changeTag
        self.zone = zone
        self.fields = fields
        self.parent = parent
        self.createShortGUID = createShortGUID
        self.sharing = sharing
        self.desiredKeys = desiredKeys
    }
}

/// `records/modify`
package struct RecordsModifyRequest: Hashable, Sendable {
    package var operations: [WireRecordOperation]
    package var zone: WireZoneID?
    /// `nil`: true in a custom zone, false in the default zone.
    package var atomic: Bool?
    /// Already merged into the operations of a decoded request.
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool

    package init(
        operations: [WireRecordOperation], zone: WireZoneID? = nil, atomic: Bool? = nil, desiredKeys: [String]? = nil,
        numbersAsStrings: Bool = false
    ) {
        self.operations = operations
        self.zone = zone
        self.atomic = atomic
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }
}
