import Foundation
import Testing

@testable import CloudKit

/// Names and numbers that apps keep, send or compare: they are CloudKit's.
@Suite struct `A constant` {
    @Test func `of an error is its code, and the code is its number`() {
        let codes: [(CKError.Code, CKError.Code, Int)] = [
            (CKError.internalError, .internalError, 1), (CKError.partialFailure, .partialFailure, 2),
            (CKError.networkUnavailable, .networkUnavailable, 3), (CKError.networkFailure, .networkFailure, 4),
            (CKError.badContainer, .badContainer, 5), (CKError.serviceUnavailable, .serviceUnavailable, 6),
            (CKError.requestRateLimited, .requestRateLimited, 7), (CKError.missingEntitlement, .missingEntitlement, 8),
            (CKError.notAuthenticated, .notAuthenticated, 9), (CKError.permissionFailure, .permissionFailure, 10),
            (CKError.unknownItem, .unknownItem, 11), (CKError.invalidArguments, .invalidArguments, 12),
            (CKError.resultsTruncated, .resultsTruncated, 13),
            (CKError.serverRecordChanged, .serverRecordChanged, 14),
            (CKError.serverRejectedRequest, .serverRejectedRequest, 15),
            (CKError.assetFileNotFound, .assetFileNotFound, 16), (CKError.assetFileModified, .assetFileModified, 17),
            (CKError.incompatibleVersion, .incompatibleVersion, 18),
            (CKError.constraintViolation, .constraintViolation, 19),
            (CKError.operationCancelled, .operationCancelled, 20),
            (CKError.changeTokenExpired, .changeTokenExpired, 21),
            (CKError.batchRequestFailed, .batchRequestFailed, 22), (CKError.zoneBusy, .zoneBusy, 23),
            (CKError.badDatabase, .badDatabase, 24), (CKError.quotaExceeded, .quotaExceeded, 25),
            (CKError.zoneNotFound, .zoneNotFound, 26), (CKError.limitExceeded, .limitExceeded, 27),
            (CKError.userDeletedZone, .userDeletedZone, 28), (CKError.tooManyParticipants, .tooManyParticipants, 29),
            (CKError.alreadyShared, .alreadyShared, 30), (CKError.referenceViolation, .referenceViolation, 31),
            (CKError.managedAccountRestricted, .managedAccountRestricted, 32),
            (CKError.participantMayNeedVerification, .participantMayNeedVerification, 33),
            (CKError.serverResponseLost, .serverResponseLost, 34), (CKError.assetNotAvailable, .assetNotAvailable, 35),
            (CKError.accountTemporarilyUnavailable, .accountTemporarilyUnavailable, 36),
            (CKError.participantAlreadyInvited, .participantAlreadyInvited, 37),
        ]
        #expect(codes.map(\.2) == Array(1...37))
        for (constant, code, number) in codes {
            #expect(constant == code && code.rawValue == number && CKError.Code(rawValue: number) == code)
            let error = CKError(code)
            #expect(error.errorCode == number && (error as NSError).code == number)
            #expect(error.description.contains("\(number)"), "\(error.description)")
        }
        #expect(CKError.Code(rawValue: 38) == nil)
    }

    @Test func `of an error's details names what the error hands out`() {
        let record = CKRecord(recordType: "Note")
        let error = CKError(
            .serverRecordChanged,
            userInfo: [
                CKErrorRetryAfterKey: NSNumber(value: 3), CKRecordChangedErrorAncestorRecordKey: record,
                CKRecordChangedErrorClientRecordKey: record, CKRecordChangedErrorServerRecordKey: record,
            ])
        #expect(error.retryAfterSeconds == 3)
        #expect(error.ancestorRecord === record && error.clientRecord === record && error.serverRecord === record)
        #expect(error.errorUserInfo[CKErrorRetryAfterKey] as? Double == 3)
        #expect(CKError.errorDomain == CKErrorDomain && (error as NSError).domain == "CKErrorDomain")
        #expect(CKErrorUserDidResetEncryptedDataKey == "CKErrorUserDidResetEncryptedDataKey")
    }

    @Test func `of a record names a system field or type`() {
        #expect(CKRecord.SystemFieldKey.recordID == "recordID")
        #expect(CKRecord.SystemFieldKey.creationDate == "creationDate")
        #expect(CKRecord.SystemFieldKey.creatorUserRecordID == "creatorUserRecordID")
        #expect(CKRecord.SystemFieldKey.modificationDate == "modificationDate")
        #expect(CKRecord.SystemFieldKey.lastModifiedUserRecordID == "lastModifiedUserRecordID")
        #expect(CKRecord.SystemFieldKey.parent == CKRecordParentKey && CKRecordParentKey == "parent")
        #expect(CKRecord.SystemFieldKey.share == CKRecordShareKey && CKRecordShareKey == "share")
        #expect(CKRecord.SystemType.userRecord == CKRecordTypeUserRecord && CKRecordTypeUserRecord == "Users")
        #expect(CKRecord.SystemType.share == CKRecordTypeShare && CKRecordTypeShare == "cloudkit.share")
        #expect(CKShare.SystemFieldKey.title == CKShareTitleKey && CKShareTitleKey == "cloudkit.title")
        #expect(CKShare.SystemFieldKey.shareType == CKShareTypeKey && CKShareTypeKey == "cloudkit.type")
        #expect(CKShare.SystemFieldKey.thumbnailImageData == CKShareThumbnailImageDataKey)
        #expect(CKRecordNameZoneWideShare == "cloudkit.zoneshare")
        let key: CKRecord.FieldKey = "title"
        let type: CKRecord.RecordType = CKRecord.SystemType.share
        #expect(type + key == "cloudkit.sharetitle")
    }

    @available(*, deprecated)
    @Test func `of a zone names the default one and its owner`() {
        #expect(CKRecordZoneDefaultName == "_defaultZone" && CKRecordZone.ID.defaultZoneName == CKRecordZoneDefaultName)
        #expect(CKOwnerDefaultName == CKCurrentUserDefaultName)
        #expect(CKRecordZone.default().zoneID == .default)
        #expect(CKRecordZone.default().capabilities.isEmpty)
        let all: CKRecordZone.Capabilities = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
        #expect(all == CKRecordZone.Capabilities(rawValue: 15))
    }

    @available(*, deprecated)
    @Test func `with a number is found by it`() {
        #expect(CKAccountStatus(rawValue: 2) == .restricted && CKAccountStatus(rawValue: 9) == nil)
        #expect(CKRecord.ReferenceAction(rawValue: 1) == CKRecord.Reference.Action.deleteSelf)
        #expect(CKRecord_Reference_Action.none.rawValue == 0)
        #expect(CKModifyRecordsOperation.RecordSavePolicy(rawValue: 2) == .allKeys)
        #expect(CKNotification.NotificationType(rawValue: 3) == .readNotification)
        #expect(CKQueryNotification.Reason(rawValue: 2) == .recordUpdated)
        #expect(CKSubscription.SubscriptionType(rawValue: 2) == .recordZone)
        #expect(CKSubscription.SubscriptionType(rawValue: 3) == .database)
        #expect(CKQuerySubscription.Options(rawValue: 4) == .firesOnRecordDeletion)
        #expect(CKSharingParticipantAccessOption(rawValue: 1) == .anyoneWithLink)
        #expect(CKSharingParticipantPermissionOption(rawValue: 2) == .readWrite)
        let sizes: [CKOperationGroup.TransferSize] = [
            .unknown, .kilobytes, .megabytes, .tensOfMegabytes, .hundredsOfMegabytes, .gigabytes, .tensOfGigabytes,
            .hundredsOfGigabytes,
        ]
        #expect((0...7).map { CKOperationGroup.TransferSize(rawValue: $0) } == sizes)
    }

    @available(*, deprecated)
    @Test func `of a share's participants is found by its number and by its older names`() {
        let statuses: [CKShare.Participant.AcceptanceStatus] = [.unknown, .pending, .accepted, .removed]
        #expect((0...3).map { CKShare.ParticipantAcceptanceStatus(rawValue: $0) } == statuses)
        let permissions: [CKShare.Participant.Permission] = [.unknown, .none, .readOnly, .readWrite]
        #expect((0...3).map { CKShare.ParticipantPermission(rawValue: $0) } == permissions)
        let roles: [CKShare.Participant.Role] = [.unknown, .owner, .administrator, .privateUser, .publicUser]
        #expect((0...4).map { CKShare.ParticipantRole(rawValue: $0) } == roles)
        let types: [CKShare.Participant.ParticipantType] = [.unknown, .owner, .privateUser, .publicUser]
        #expect([0, 1, 3, 4].map { CKShare.ParticipantType(rawValue: $0) } == types)
        #expect(CKShare_Participant_AcceptanceStatus.removed == .removed)
        #expect(CKShare_Participant_Permission.none == .none)
        #expect(CKShare_Participant_Role.administrator == .administrator)
        #expect(CKShare_Participant_ParticipantType.owner == .owner)
        let participant = CKShare.Participant.oneTimeURLParticipant()
        let id: CKShare.Participant.ID = participant.participantID
        #expect(!id.isEmpty && participant.dateAddedToShare == nil)
        #expect(participant.type == .privateUser)
        participant.type = .publicUser
        #expect(participant.role == .publicUser)
    }

    @Test func `of a device's environment is a word`() {
        #expect(CloudDevice.Environment(rawValue: "development") == .development)
        #expect(CloudDevice.Environment(rawValue: "production") == .production)
        #expect(CloudDevice.Environment(rawValue: "test") == nil)
    }
}
