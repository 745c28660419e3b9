import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

func share(_ root: CKRecord, _ zone: CKRecordZone.ID, _ container: CKContainer) async throws -> URL? {
    let share = CKShare(rootRecord: root)
    share[CKShare.SystemFieldKey.title] = "Trip" as CKRecordValue
    share[CKShare.SystemFieldKey.thumbnailImageData] = Data() as CKRecordValue
    share[CKShare.SystemFieldKey.shareType] = "com.example.trip" as CKRecordValue
    share.publicPermission = .readOnly
    let participant = try await container.shareParticipant(forEmailAddress: "ann@example.com")
    participant.permission = .readWrite
    participant.role = .privateUser
    share.addParticipant(participant)
    let one = CKShare.Participant.oneTimeURLParticipant()
    share.addParticipant(one)
    try await container.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
    print(
        share.oneTimeURL(for: one.participantID) as Any, CKShare(recordZoneID: zone),
        CKShare(rootRecord: root, shareID: share.recordID))
    share.allowsAccessRequests = true
    share.denyRequesters(share.requesters)
    share.blockRequesters(share.requesters)
    share.unblockIdentities(share.blockedIdentities)
    for requester in share.requesters { print(requester.participantLookupInfo, requester.userIdentity) }
    for person in share.participants {
        switch (person.role, person.acceptanceStatus, person.permission) {
        case (.owner, .accepted, .readWrite), (.administrator, .pending, .readOnly): print(person.userIdentity)
        case (.publicUser, .removed, .none), (.unknown, .unknown, .unknown): share.removeParticipant(person)
        default: print(person.dateAddedToShare as Any, person.isApprovedRequester)
        }
    }
    print(share.owner, share.currentUserParticipant as Any)
    return share.url
}

func accept(_ url: URL, _ container: CKContainer) async throws {
    let metadata: CKShare.Metadata = try await container.shareMetadata(for: url)
    print(
        metadata.containerIdentifier, metadata.share, metadata.hierarchicalRootRecordID as Any,
        metadata.rootRecord as Any)
    print(metadata.participantRole, metadata.participantStatus, metadata.participantPermission, metadata.ownerIdentity)
    let share: CKShare = try await CKContainer(identifier: metadata.containerIdentifier).accept(metadata)
    print(share, try await container.accept([metadata]), try await container.shareMetadatas(for: [url]))
    container.accept(metadata) { share, error in print(share as Any, error as Any) }
    container.fetchShareMetadata(with: url) { metadata, error in print(metadata as Any, error as Any) }
}

func operations(
    _ container: CKContainer, _ metadata: CKShare.Metadata, _ url: URL, _ people: [CKUserIdentity.LookupInfo]
) {
    let accept = CKAcceptSharesOperation(shareMetadatas: [metadata])
    accept.perShareResultBlock = { metadata, result in print(metadata, result) }
    accept.acceptSharesResultBlock = { print($0) }
    container.add(accept)
    let fetch = CKFetchShareMetadataOperation(shareURLs: [url])
    fetch.shouldFetchRootRecord = true
    fetch.rootRecordDesiredKeys = ["title"]
    fetch.perShareMetadataResultBlock = { url, result in print(url, result) }
    fetch.fetchShareMetadataResultBlock = { print($0) }
    container.add(fetch)
    let participants = CKFetchShareParticipantsOperation(userIdentityLookupInfos: people)
    participants.perShareParticipantResultBlock = { info, result in print(info, result) }
    participants.fetchShareParticipantsResultBlock = { print($0) }
    container.add(participants)
    let request = CKShareRequestAccessOperation(shareURLs: [url])
    request.perShareAccessRequestResultBlock = { url, result in print(url, result) }
    request.shareAccessRequestResultBlock = { print($0) }
    container.add(request)
}

func people(_ container: CKContainer, _ id: CKRecord.ID) async throws {
    let infos = [
        CKUserIdentity.LookupInfo(emailAddress: "a@example.com"), CKUserIdentity.LookupInfo(phoneNumber: "+1"),
        CKUserIdentity.LookupInfo(userRecordID: id),
    ]
    let more =
        CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["a@example.com"])
        + CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers: ["+1"])
        + CKUserIdentity.LookupInfo.lookupInfos(with: [id])
    for info in infos + more { print(info.emailAddress as Any, info.phoneNumber as Any, info.userRecordID as Any) }
    let identity: CKUserIdentity? = try await container.userIdentity(forEmailAddress: "a@example.com")
    print(identity?.nameComponents?.givenName as Any, identity?.hasiCloudAccount as Any, identity?.lookupInfo as Any)
    print(identity?.userRecordID as Any, identity?.contactIdentifiers as Any)
    print(
        try await container.userIdentity(forPhoneNumber: "+1") as Any,
        try await container.userIdentity(forUserRecordID: id) as Any)
    print(try await container.userIdentities(forEmailAddresses: ["a@example.com"]))
    print(try await container.allUserIdentitiesFromContacts())
    print(try await container.shareParticipants(forEmailAddresses: ["a@example.com"]))
    print(
        try await container.shareParticipant(forUserRecordID: id),
        try await container.shareParticipant(forPhoneNumber: "+1"))
    container.discoverAllIdentities { identities, error in print(identities as Any, error as Any) }
    container.discoverUserIdentity(withEmailAddress: "a@example.com") { identity, error in
        print(identity as Any, error as Any)
    }
    let all = CKDiscoverAllUserIdentitiesOperation()
    all.userIdentityDiscoveredBlock = { print($0) }
    all.discoverAllUserIdentitiesResultBlock = { print($0) }
    all.discoverAllUserIdentitiesCompletionBlock = { print($0 as Any) }
    container.add(all)
    let options = CKAllowedSharingOptions(
        allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .specifiedRecipientsOnly)
    options.allowedParticipantPermissionOptions = [.readOnly, .readWrite]
    options.allowedParticipantAccessOptions = .anyoneWithLink
    options.allowsAccessRequests = true
    options.allowsParticipantsToInviteOthers = true
    print(
        options, CKAllowedSharingOptions.standard, CKSharingParticipantAccessOption.any.rawValue,
        CKSharingParticipantPermissionOption.any)
}

/// Hears what people do on the system's sharing screen.
func observer(of container: CKContainer) -> CKSystemSharingUIObserver {
    let observer = CKSystemSharingUIObserver(container: container)
    observer.systemSharingUIDidSaveShareBlock = { id, result in print(id, result) }
    observer.systemSharingUIDidStopSharingBlock = { id, result in print(id, result) }
    return observer
}
