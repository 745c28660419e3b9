import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

// Names that the other files have no need of, among them the older ones.

func kinds(_ person: CKShare.Participant, _ metadata: CKShare.Metadata) {
    let role: CKShare_Participant_Role = CKShare.ParticipantRole(rawValue: 1) ?? .owner
    let type: CKShare_Participant_ParticipantType = CKShare.ParticipantType(rawValue: 1) ?? .owner
    let status: CKShare_Participant_AcceptanceStatus = CKShare.ParticipantAcceptanceStatus(rawValue: 1) ?? .pending
    let permission: CKShare_Participant_Permission = CKShare.ParticipantPermission(rawValue: 1) ?? .none
    let nested: (CKShare.Participant.Role, CKShare.Participant.AcceptanceStatus, CKShare.Participant.Permission) = (
        role, status, permission
    )
    let older: CKShare.Participant.ParticipantType = type
    person.permission = permission
    print(nested, older, person.type, metadata.participantType, metadata.rootRecordID)
    let types: [CKShare.ParticipantType] = [.unknown, .owner, .privateUser, .publicUser]
    print(types, CKRecordZoneDefaultName, CKShareTitleKey, CKShareTypeKey, CKShareThumbnailImageDataKey)
}

func rawValues() {
    let reason: CKDatabase.DatabaseChange.Deletion.Reason = .deleted
    let notification = CKNotification.NotificationType(rawValue: 1)
    let query = CKQueryNotification.Reason(rawValue: 1)
    let subscription = CKSubscription.SubscriptionType(rawValue: 1)
    let options = CKQuerySubscription.Options(rawValue: 1)
    print(reason, notification as Any, query as Any, subscription as Any, options)
}

func iterate(_ record: CKRecord, _ cursor: CKQueryOperation.Cursor) {
    var iterator: CKRecord.Iterator = record.makeIterator()
    while let element: CKRecord.Element = iterator.next() { print(element.0, element.1) }
    print(cursor)
}

func requesters(_ share: CKShare) {
    let asking: [CKShare.AccessRequester] = share.requesters
    let blocked: [CKShare.BlockedIdentity] = share.blockedIdentities
    print(asking.map(\.userIdentity), blocked.map(\.userIdentity))
}

func handlers(_ container: CKContainer, _ url: URL, _ id: CKRecord.ID) {
    container.discoverUserIdentities(forEmailAddresses: ["a@example.com"]) { print($0) }
    container.discoverUserIdentities(forPhoneNumbers: ["+1"]) { print($0) }
    container.discoverUserIdentities(forUserRecordIDs: [id]) { print($0) }
    container.fetchShareMetadatas(for: [url]) { print($0) }
    container.fetchShareParticipant(withEmailAddress: "a@example.com") { person, error in
        print(person as Any, error as Any)
    }
    container.fetchShareParticipant(withPhoneNumber: "+1") { person, error in print(person as Any, error as Any) }
    container.fetchShareParticipant(withUserRecordID: id) { person, error in print(person as Any, error as Any) }
    container.fetchShareParticipants(forEmailAddresses: ["a@example.com"]) { print($0) }
    container.fetchShareParticipants(forPhoneNumbers: ["+1"]) { print($0) }
    container.fetchShareParticipants(forUserRecordIDs: [id]) { print($0) }
    let token = CKFetchWebAuthTokenOperation(apiToken: "token")
    token.fetchWebAuthTokenCompletionBlock = { token, error in print(token as Any, error as Any) }
    container.privateCloudDatabase.add(token)
}
