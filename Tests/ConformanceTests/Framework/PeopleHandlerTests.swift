import CloudCore
import CloudKit
import CloudTestSupport
import Foundation
import Testing

/// People and shares by way of a container: every form of a call gives the same.
@Suite struct `The people of a container` {
    private static let phone = "+491701234567"

    /// Containers of Alice, who has a zone ``notes``, and of Bob, whom others can find.
    private func withTwo(
        _ setUp: CloudSetUp, _ body: (_ alice: CKContainer, _ bob: CKContainer) async throws -> Void
    ) async throws {
        try await setUp.withPhones { phones in
            try await phones.cloud.addDiscoverable(
                "bob@example.com", phone: Self.phone, name: NameComponents(givenName: "Bob"))
            let alice = Phones.container(on: try await phones.device("alice@example.com"))
            let bob = Phones.container(on: try await phones.device("bob@example.com"))
            try await alice.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            try await body(alice, bob)
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `finds people by address, number and record, one or several`(on setUp: CloudSetUp) async throws {
        try await withTwo(setUp) { alice, bob in
            let id = try await bob.userRecordID()
            let email = "bob@example.com"
            #expect(try await alice.userIdentity(forEmailAddress: email)?.userRecordID == id)
            #expect(try await alice.userIdentity(forPhoneNumber: Self.phone)?.userRecordID == id)
            let byRecord = try await alice.userIdentity(forUserRecordID: id)
            #expect(byRecord?.userRecordID == id && byRecord?.nameComponents?.givenName == "Bob")
            #expect(try await alice.userIdentity(forEmailAddress: "no@example.com") == nil)
            let one = try await value { alice.discoverUserIdentity(withEmailAddress: email, completionHandler: $0) }
            #expect(one.userRecordID == id && one.lookupInfo?.emailAddress == email)
            let two = try await value { alice.discoverUserIdentity(withPhoneNumber: Self.phone, completionHandler: $0) }
            let three = try await value { alice.discoverUserIdentity(withUserRecordID: id, completionHandler: $0) }
            #expect(two.userRecordID == id && three.userRecordID == id)

            #expect(try await alice.userIdentities(forEmailAddresses: [email])[email]?.userRecordID == id)
            #expect(try await alice.userIdentities(forPhoneNumbers: [Self.phone])[Self.phone]?.userRecordID == id)
            #expect(try await alice.userIdentities(forUserRecordIDs: [id])[id]?.userRecordID == id)
            let emails = try await result {
                alice.discoverUserIdentities(forEmailAddresses: [email], completionHandler: $0)
            }
            let phones = try await result {
                alice.discoverUserIdentities(forPhoneNumbers: [Self.phone], completionHandler: $0)
            }
            let ids = try await result { alice.discoverUserIdentities(forUserRecordIDs: [id], completionHandler: $0) }
            #expect(Array(emails.keys) == [email] && Array(phones.keys) == [Self.phone] && Array(ids.keys) == [id])
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `discovers people by an operation, one block each`(on setUp: CloudSetUp) async throws {
        try await withTwo(setUp) { alice, bob in
            let id = try await bob.userRecordID()
            let infos = CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["bob@example.com", "no@example.com"])
            for isOld in [false, true] {
                let operation = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: infos)
                #expect(operation.userIdentityLookupInfos.count == 2)
                // Written on the operation's serial queue, read after its last block.
                nonisolated(unsafe) var found: [CKRecord.ID?] = []
                operation.userIdentityDiscoveredBlock = { identity, info in
                    #expect(info.emailAddress == "bob@example.com")
                    found.append(identity.userRecordID)
                }
                if isOld {
                    try await end {
                        operation.discoverUserIdentitiesCompletionBlock = $0
                        alice.add(operation)
                    }
                } else {
                    try await result {
                        operation.discoverUserIdentitiesResultBlock = $0
                        alice.add(operation)
                    }
                }
                #expect(found == [id])
            }
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `makes participants of people by address, number and record, one or several`(on setUp: CloudSetUp)
        async throws
    {
        try await withTwo(setUp) { alice, bob in
            let id = try await bob.userRecordID()
            let email = "bob@example.com"
            #expect(try await alice.shareParticipant(forPhoneNumber: Self.phone).userIdentity.userRecordID == id)
            let one = try await value { alice.fetchShareParticipant(withEmailAddress: email, completionHandler: $0) }
            let two = try await value {
                alice.fetchShareParticipant(withPhoneNumber: Self.phone, completionHandler: $0)
            }
            let three = try await value { alice.fetchShareParticipant(withUserRecordID: id, completionHandler: $0) }
            #expect([one, two, three].allSatisfy { $0.userIdentity.userRecordID == id && $0.role == .privateUser })
            let emails = try await alice.shareParticipants(forEmailAddresses: [email])
            let phones = try await alice.shareParticipants(forPhoneNumbers: [Self.phone])
            let ids = try await alice.shareParticipants(forUserRecordIDs: [id])
            #expect(emails[email]?.isSuccess == true && phones[Self.phone]?.isSuccess == true)
            #expect(try ids[id]?.get().userIdentity.userRecordID == id)
            let told = try await result {
                alice.fetchShareParticipants(forEmailAddresses: [email], completionHandler: $0)
            }
            let toldPhones = try await result {
                alice.fetchShareParticipants(forPhoneNumbers: [Self.phone], completionHandler: $0)
            }
            let toldIDs = try await result {
                alice.fetchShareParticipants(forUserRecordIDs: [id], completionHandler: $0)
            }
            #expect(
                Array(told.keys) == [email] && Array(toldPhones.keys) == [Self.phone] && Array(toldIDs.keys) == [id])
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `fetches participants by an operation with the older blocks`(on setUp: CloudSetUp) async throws {
        try await withTwo(setUp) { alice, bob in
            let id = try await bob.userRecordID()
            let operation = CKFetchShareParticipantsOperation(
                userIdentityLookupInfos: [CKUserIdentity.LookupInfo(emailAddress: "bob@example.com")])
            #expect(operation.userIdentityLookupInfos?.count == 1)
            nonisolated(unsafe) var found: [CKRecord.ID?] = []
            operation.shareParticipantFetchedBlock = { found.append($0.userIdentity.userRecordID) }
            try await end {
                operation.fetchShareParticipantsCompletionBlock = $0
                alice.add(operation)
            }
            #expect(found == [id])
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `fetches and accepts shares, in every form`(on setUp: CloudSetUp) async throws {
        try await withTwo(setUp) { alice, bob in
            var urls: [URL] = []
            for name in ["a", "b", "c", "d"] {
                let root = note(name, title: name)
                let share = CKShare(rootRecord: root, shareID: noteID("share-" + name))
                #expect(share.recordID == noteID("share-" + name))
                share.publicPermission = .readOnly
                _ = try await alice.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
                urls.append(try #require(share.url))
            }
            let one = try await value { bob.fetchShareMetadata(with: urls[0], completionHandler: $0) }
            #expect(one.rootRecordID.recordName == "a" && one.participantType == .publicUser)
            #expect(one.ownerIdentity.userRecordID == (try await alice.userRecordID()))
            #expect(try await value { bob.accept(one, completionHandler: $0) }.recordID.recordName == "share-a")

            let several = try await bob.shareMetadatas(for: [urls[1]])
            let second = try #require(try several[urls[1]]?.get())
            #expect(try await bob.accept([second])[second]?.isSuccess == true)

            let told = try await result { bob.fetchShareMetadatas(for: [urls[2]], completionHandler: $0) }
            let third = try #require(try told[urls[2]]?.get())
            let accepted = try await result { bob.accept([third], completionHandler: $0) }
            #expect(accepted[third]?.isSuccess == true)

            let fetch = CKFetchShareMetadataOperation(shareURLs: [urls[3]])
            fetch.shouldFetchRootRecord = true
            fetch.rootRecordDesiredKeys = ["title"]
            #expect(fetch.shareURLs == [urls[3]] && fetch.rootRecordDesiredKeys == ["title"])
            nonisolated(unsafe) var found: [CKShare.Metadata?] = []
            fetch.perShareMetadataBlock = { _, metadata, _ in found.append(metadata) }
            try await end {
                fetch.fetchShareMetadataCompletionBlock = $0
                bob.add(fetch)
            }
            let fourth = try #require(found.first ?? nil)
            #expect(fourth.rootRecord?["title"] as? String == "d")
            let accept = CKAcceptSharesOperation(shareMetadatas: [fourth])
            #expect(accept.shareMetadatas?.count == 1)
            nonisolated(unsafe) var joined: [String?] = []
            accept.perShareCompletionBlock = { _, share, _ in joined.append(share?.recordID.recordName) }
            try await end {
                accept.acceptSharesCompletionBlock = $0
                bob.add(accept)
            }
            #expect(joined == ["share-d"])
            let zone = try #require(try await bob.sharedCloudDatabase.allRecordZones().first?.zoneID)
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            let seen = try await bob.sharedCloudDatabase.records(matching: query, inZoneWith: zone).matchResults
            #expect(Set(seen.map(\.0.recordName)) == ["a", "b", "c", "d"])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `takes requests for access, which the owner denies, blocks and takes back`(on setUp: CloudSetUp)
        async throws
    {
        try await withTwo(setUp) { alice, bob in
            let root = note("root")
            let share = CKShare(rootRecord: root)
            share.allowsAccessRequests = true
            _ = try await alice.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
            let url = try #require(share.url)

            func ask() async throws -> CKShare {
                let ask = CKShareRequestAccessOperation(shareURLs: [url])
                #expect(ask.shareURLs == [url])
                nonisolated(unsafe) var told: [URL] = []
                ask.perShareAccessRequestResultBlock = { url, result in
                    #expect(result.isSuccess)
                    told.append(url)
                }
                try await result {
                    ask.shareAccessRequestResultBlock = $0
                    bob.add(ask)
                }
                #expect(told == [url])
                return try #require(
                    try await alice.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            }
            let first = try await ask()
            let requester = try #require(first.requesters.first)
            #expect(requester.participantLookupInfo.userRecordID == (try await bob.userRecordID()))
            first.denyRequesters([requester])
            try await alice.privateCloudDatabase.save(first)
            #expect(first.requesters.isEmpty && first.blockedIdentities.isEmpty)

            let second = try await ask()
            second.blockRequesters(second.requesters)
            try await alice.privateCloudDatabase.save(second)
            let blocked = try #require(second.blockedIdentities.first)
            #expect(blocked.userIdentity.userRecordID == (try await bob.userRecordID()))
            let third = try await ask()
            #expect(third.requesters.isEmpty)
            third.unblockIdentities(third.blockedIdentities)
            try await alice.privateCloudDatabase.save(third)
            #expect(try await ask().requesters.count == 1)
        }
    }
}
