import CloudKit
import Foundation
import Testing

@Suite struct `A record that was not saved` {
    @Test func `has a fresh name in the default zone, and nothing that the service gives`() {
        let record = CKRecord(recordType: "Note")
        let other = CKRecord(recordType: "Note")
        #expect(UUID(uuidString: record.recordID.recordName) != nil)
        #expect(record.recordID != other.recordID && record.recordID.zoneID == .default)
        #expect(UUID(uuidString: CKRecord.ID().recordName) != nil)
        #expect(CKRecord(recordType: "Note", zoneID: CKRecordZone.ID(zoneName: "Z")).recordID.zoneID.zoneName == "Z")
        #expect(record.recordChangeTag == nil && record.creationDate == nil && record.modificationDate == nil)
        #expect(record.creatorUserRecordID == nil && record.lastModifiedUserRecordID == nil)
        #expect(record.parent == nil && record.share == nil)
    }

    @Test func `copies a value when it is set`() {
        let record = CKRecord(recordType: "Note")
        let text = NSMutableString(string: "one")
        let list = NSMutableArray(array: ["a"])
        record["text"] = text
        record["list"] = list
        text.append(" two")
        list.add("b")
        #expect(record["text"] as? String == "one")
        #expect(record["list"] as? [String] == ["a"])
    }

    @Test func `lists the keys with a value, and as changed also those set to nil`() {
        let record = CKRecord(recordType: "Note")
        record["a"] = 1
        record["b"] = "x"
        record["b"] = nil
        #expect(record.allKeys() == ["a"])
        #expect(Set(record.changedKeys()) == ["a", "b"])
    }

    @Test func `finds the words of all its text at white space, whatever their case`() {
        let record = CKRecord(recordType: "Note")
        record["title"] = "Red  Wine"
        record["text"] = "from\nRome"
        record["number"] = 5
        #expect(record.allTokens().sorted() == ["from", "red", "rome", "wine"])
    }

    @Test func `has a parent without action, set by record or by ID and cleared by nil`() {
        let record = CKRecord(recordType: "Note")
        let parent = CKRecord(recordType: "Note")
        record.setParent(parent)
        #expect(record.parent == CKRecord.Reference(record: parent, action: .none))
        record.setParent(CKRecord.ID(recordName: "p"))
        #expect(record.parent?.recordID.recordName == "p" && record.parent?.action == CKRecord.ReferenceAction.none)
        record.setParent(nil as CKRecord?)
        #expect(record.parent == nil)
    }

    @Test func `and its copy are independent, with the same values and changed keys`() throws {
        let record = CKRecord(recordType: "Note")
        record["a"] = 1
        let copy = try #require(record.copy() as? CKRecord)
        #expect(copy.recordID == record.recordID && copy.changedKeys() == ["a"])
        copy["a"] = 2
        #expect(record["a"] as? Int == 1)
    }
}

@Suite struct `Names in CloudKit` {
    @Test func `are equal by value: record, zone and owner`() {
        let zone = CKRecordZone.ID(zoneName: "Z", ownerName: "_o")
        let id = CKRecord.ID(recordName: "r", zoneID: zone)
        #expect(id == CKRecord.ID(recordName: "r", zoneID: CKRecordZone.ID(zoneName: "Z", ownerName: "_o")))
        #expect(Set([id, CKRecord.ID(recordName: "r", zoneID: CKRecordZone.ID(zoneName: "Z"))]).count == 2)
        #expect(id != CKRecord.ID(recordName: "r"))
        #expect(CKRecordZone.ID() == .default && CKRecordZone.ID.default == CKRecordZone.default().zoneID)
    }

    @Test func `that apps use literally are as they are known`() {
        #expect(CKCurrentUserDefaultName == "__defaultOwner__")
        #expect(CKRecordNameZoneWideShare == "cloudkit.zoneshare")
        #expect(CKRecordZone.ID.defaultZoneName == "_defaultZone")
        #expect(CKErrorDomain == "CKErrorDomain")
    }
}

@Suite struct `Numbers of options and cases` {
    @available(*, deprecated)
    @Test func `are those of CloudKit`() {
        let capabilities: [CKRecordZone.Capabilities] = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
        #expect(capabilities.map(\.rawValue) == [1, 2, 4, 8])
        let options: [CKQuerySubscription.Options] = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion, .firesOnce,
        ]
        #expect(options.map(\.rawValue) == [1, 2, 4, 8])
        #expect(CKContainer.ApplicationPermissions.userDiscoverability.rawValue == 1)
        let access: [CKSharingParticipantAccessOption] = [.anyoneWithLink, .specifiedRecipientsOnly, .any]
        let permission: [CKSharingParticipantPermissionOption] = [.readOnly, .readWrite, .any]
        #expect(access.map(\.rawValue) == [1, 2, 3] && permission.map(\.rawValue) == [1, 2, 3])
        let scopes: [CKDatabase.Scope] = [.public, .private, .shared]
        #expect(scopes.map(\.rawValue) == [1, 2, 3])
        let statuses: [CKAccountStatus] = [
            .couldNotDetermine, .available, .restricted, .noAccount, .temporarilyUnavailable,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(CKRecord.ReferenceAction.none.rawValue == 0 && CKRecord.ReferenceAction.deleteSelf.rawValue == 1)
        let policies: [CKModifyRecordsOperation.RecordSavePolicy] = [.ifServerRecordUnchanged, .changedKeys, .allKeys]
        #expect(policies.map(\.rawValue) == [0, 1, 2])
    }

    @Test func `of shares and notifications too`() {
        let permissions: [CKShare.ParticipantPermission] = [.unknown, .none, .readOnly, .readWrite]
        let statuses: [CKShare.ParticipantAcceptanceStatus] = [.unknown, .pending, .accepted, .removed]
        let roles: [CKShare.ParticipantRole] = [.unknown, .owner, .administrator, .privateUser, .publicUser]
        #expect(permissions.map(\.rawValue) == [0, 1, 2, 3] && statuses.map(\.rawValue) == [0, 1, 2, 3])
        #expect(roles.map(\.rawValue) == [0, 1, 2, 3, 4])
        let kinds: [CKNotification.NotificationType] = [.query, .recordZone, .readNotification, .database]
        let reasons: [CKQueryNotification.Reason] = [.recordCreated, .recordUpdated, .recordDeleted]
        #expect(kinds.map(\.rawValue) == [1, 2, 3, 4] && reasons.map(\.rawValue) == [1, 2, 3])
    }

    @Test func `of error codes go from 1 to 37, with a name each`() {
        #expect((1...37).allSatisfy { CKError.Code(rawValue: $0) != nil })
        #expect(CKError.Code(rawValue: 0) == nil && CKError.Code(rawValue: 38) == nil)
        let known: [(CKError.Code, Int)] = [
            (.internalError, 1), (.partialFailure, 2), (.networkUnavailable, 3), (.networkFailure, 4),
            (.badContainer, 5), (.serviceUnavailable, 6), (.requestRateLimited, 7), (.missingEntitlement, 8),
            (.notAuthenticated, 9), (.permissionFailure, 10), (.unknownItem, 11), (.invalidArguments, 12),
            (.serverRecordChanged, 14), (.serverRejectedRequest, 15), (.assetFileNotFound, 16),
            (.assetFileModified, 17), (.incompatibleVersion, 18), (.constraintViolation, 19),
            (.operationCancelled, 20), (.changeTokenExpired, 21), (.batchRequestFailed, 22), (.zoneBusy, 23),
            (.badDatabase, 24), (.quotaExceeded, 25), (.zoneNotFound, 26), (.limitExceeded, 27),
            (.userDeletedZone, 28), (.tooManyParticipants, 29), (.alreadyShared, 30), (.referenceViolation, 31),
            (.managedAccountRestricted, 32), (.participantMayNeedVerification, 33), (.serverResponseLost, 34),
            (.assetNotAvailable, 35), (.accountTemporarilyUnavailable, 36), (.participantAlreadyInvited, 37),
        ]
        for (code, number) in known { #expect(code.rawValue == number) }
    }
}
