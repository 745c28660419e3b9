import CloudKit
import CloudTestSupport
import Testing

/// The deprecated ways to ask for discoverability and to look for contacts.
@Suite struct `A permission` {
    @available(*, deprecated)
    @Test(arguments: CloudSetUp.available)
    func `to be discovered is granted as the account is set, in every form of asking`(on setUp: CloudSetUp) async throws
    {
        try await setUp.withPhones { phones in
            try await phones.cloud.addDiscoverable("ann@example.com")
            for (email, expected) in [
                ("ann@example.com", CKContainer_Application_PermissionStatus.granted), ("bob@example.com", .denied),
            ] {
                let container = Phones.container(on: try await phones.device(email))
                let permission: CKContainer_Application_Permissions = .userDiscoverability
                #expect(permission.rawValue == 1 && permission == CKContainer.Application.Permissions(rawValue: 1))
                #expect(try await container.applicationPermissionStatus(for: permission) == expected)
                #expect(try await container.requestApplicationPermission(permission) == expected)
                for ask in [
                    container.status(forApplicationPermission:completionHandler:),
                    container.requestApplicationPermission(_:completionHandler:),
                ] {
                    let answer = await withCheckedContinuation { waiter in
                        let block: CKContainer_Application_PermissionBlock = { status, error in
                            waiter.resume(returning: error == nil ? status : .couldNotComplete)
                        }
                        ask(permission, block)
                    }
                    #expect(answer == expected)
                }
            }
        }
    }

    @available(*, deprecated)
    @Test func `that is none, or asked for by nobody, is an error, and could not be completed`() async throws {
        try await CloudSetUp.ways[0].withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            let error = await #expect(throws: CKError.self) {
                try await container.applicationPermissionStatus(for: CKContainer.ApplicationPermissions(rawValue: 2))
            }
            #expect(error?.code == .invalidArguments && error?.localizedDescription.contains("2") == true)
            try await device.signOut()
            let (status, code) = await withCheckedContinuation { waiter in
                container.status(forApplicationPermission: .userDiscoverability) { status, error in
                    waiter.resume(returning: (status, (error as? CKError)?.code))
                }
            }
            #expect(status == .couldNotComplete && code == .notAuthenticated)
            let all = [0, 1, 2, 3].map { CKContainer.ApplicationPermissionStatus(rawValue: $0) }
            #expect(all == [.initialState, .couldNotComplete, .denied, .granted])
            #expect(CKContainer.Application.PermissionStatus(rawValue: 4) == nil)
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `is not needed to look for contacts, of whom the service knows none`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            #expect(try await container.allUserIdentitiesFromContacts() == [])
            let found: [CKUserIdentity]? = try await withCheckedThrowingContinuation { waiter in
                container.discoverAllIdentities { identities, error in
                    waiter.resume(with: error.map { .failure($0) } ?? .success(identities))
                }
            }
            #expect(found == [])
            let operation = CKDiscoverAllUserIdentitiesOperation()
            operation.userIdentityDiscoveredBlock = { _ in Issue.record("there is nobody") }
            operation.discoverAllUserIdentitiesCompletionBlock = { _ in Issue.record("the newer block is set") }
            try await withCheckedThrowingContinuation { waiter in
                operation.discoverAllUserIdentitiesResultBlock = { waiter.resume(with: $0) }
                container.add(operation)
            }
            try await device.signOut()
            let old = CKDiscoverAllUserIdentitiesOperation()
            let code: CKError.Code? = await withCheckedContinuation { waiter in
                old.discoverAllUserIdentitiesCompletionBlock = { waiter.resume(returning: ($0 as? CKError)?.code) }
                container.add(old)
            }
            #expect(code == .notAuthenticated)
            let me = try await Phones.container(on: try await phones.device("bob@example.com")).userRecordID()
            let carol = Phones.container(on: try await phones.device("carol@example.com"))
            let participant = try await carol.shareParticipant(forUserRecordID: me)
            #expect(participant.userIdentity.contactIdentifiers == [])
        }
    }
}
