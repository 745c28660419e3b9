/// When, by whom and on what device a record was created or modified.
package struct RecordStamp: Hashable, Sendable {
    /// Milliseconds since 1970, by the server's clock.
    package var timestamp: Int64
    package var userRecordName: String
    package var deviceID: String

    package init(timestamp: Int64, userRecordName: String, deviceID: String) {
        self.timestamp = timestamp
        self.userRecordName = userRecordName
        self.deviceID = deviceID
    }
}

/// A record as the service keeps and sends it.
package struct Record: Hashable, Sendable {
    package var id: RecordID
    package var type: String
    package var changeTag: String
    package var fields: [String: FieldValue]
    /// The name of the parent record in the same zone.
    package var parent: String?
    /// Of the root of a shared tree: the name of its share record in the same zone.
    package var share: String?
    /// What names the record in a share's URL.
    package var shortGUID: String?
    /// Of a share record: whom it is shared with, and how.
    @Apart package var sharing: Sharing?
    package var created: RecordStamp
    package var modified: RecordStamp

    package init(
        id: RecordID, type: String, changeTag: String, fields: [String: FieldValue], parent: String? = nil,
        share: String? = nil, shortGUID: String? = nil, sharing: Sharing? = nil, created: RecordStamp,
        modified: RecordStamp
    ) {
        self.id = id
        self.type = type
        self.changeTag = changeTag
        self.fields = fields
        self.parent = parent
        self.share = share
        self.shortGUID = shortGUID
        self.sharing = sharing
        self.created = created
        self.modified = modified
    }

    /// The record with only the fields that `desiredKeys` names; `nil` keeps all.
    package func keeping(_ desiredKeys: Set<String>?) -> Record {
        guard let desiredKeys else { return self }
        var copy = self
        copy.fields = fields.filter { desiredKeys.contains($0.key) }
        return copy
    }
}

/// The seven operation types of `records/modify`.
package enum RecordOperationType: String, Hashable, Sendable, CaseIterable {
    case create, update, forceUpdate, replace, forceReplace, delete, forceDelete
}

/// A value as a client sent it: with its declared type, or with the one its JSON suggested.
package struct FieldDraft: Hashable, Sendable {
    package var name: String
    /// `nil` clears the field.
    package var value: FieldValue?
    /// False when the request named no type, so that the schema's type may convert the value.
    package var isTyped: Bool

    package init(name: String, value: FieldValue?, isTyped: Bool) {
        self.name = name
        self.value = value
        self.isTyped = isTyped
    }
}

/// One operation of `records/modify` on one record, its zone resolved.
package struct RecordOperation: Hashable, Sendable {
    package var type: RecordOperationType
    package var id: RecordID
    package var recordType: String?
    package var changeTag: String?
    package var fields: [FieldDraft]
    /// `nil`: the request does not speak of the parent. `.some(nil)`: it clears it.
    package var parent: String??
    /// Whether the record is to have a short GUID.
    package var createShortGUID: Bool
    /// Of a share record: what the request says of the sharing.
    @Apart package var sharing: SharingDraft?

    package init(
        type: RecordOperationType, id: RecordID, recordType: String? = nil, changeTag: String? = nil,
        fields: [FieldDraft] = [], parent: String?? = nil, createShortGUID: Bool = false, sharing: SharingDraft? = nil
    ) {
        self.type = type
        self.id = id
        self.recordType = recordType
        self.changeTag = changeTag
        self.fields = fields
        self.parent = parent
        self.createShortGUID = createShortGUID
        self.sharing = sharing
    }
}
