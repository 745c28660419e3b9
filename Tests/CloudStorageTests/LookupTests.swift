import CloudCore
import CloudStorage
import DatabaseTestSupport
import Testing

private let notes = ContainerID("iCloud.org.example.notes")
private let tasks = ContainerID("iCloud.org.example.tasks")

@Suite struct `Looking people up` {
    private func withAnn(_ body: @escaping @Sendable (CloudTransaction, Account) throws -> Void) async throws {
        let store = try CloudStore(StorageTestDatabase.make(), policy: .dev) { 1000 }
        try await store.write { cloud throws in
            let ann = try cloud.addAccount(
                email: "Ann@Example.org", phone: "+49 (170) 123-45.67",
                name: NameComponents(givenName: "Ann", nickname: "An"), passwordHash: nil)
            try body(cloud, ann)
        }
        await store.close()
    }

    @Test(arguments: [
        UserLookup.emailAddress("ANN@example.ORG"), .phoneNumber("00491701234567"), .phoneNumber("+49 170 1234567"),
    ]) func `an address in any case and a number in any spelling find their account`(lookup: UserLookup) async throws {
        try await withAnn { cloud, ann throws in
            let found = try cloud.user(matching: lookup, in: notes)
            #expect(found?.account == ann)
            #expect(try found?.userRecordName == cloud.userName(of: ann.id, in: notes))
        }
    }

    @Test func `a person is found by the name of his user record, in its container only`() async throws {
        try await withAnn { cloud, ann throws in
            let name = try #require(try cloud.user(matching: .emailAddress("ann@example.org"), in: notes))
                .userRecordName
            #expect(try cloud.user(matching: .userRecordName(name), in: notes)?.account == ann)
            #expect(try cloud.user(matching: .userRecordName(name), in: tasks) == nil)
            #expect(try cloud.user(matching: .emailAddress("ann@example.org"), in: tasks)?.userRecordName != name)
        }
    }

    @Test(arguments: [
        UserLookup.emailAddress("bob@example.org"), .emailAddress(""), .emailAddress("ann@example.org\0"),
        .phoneNumber("1234567"), .phoneNumber("x"),
        .phoneNumber(""), .userRecordName("_0123"), .userRecordName(""),
    ]) func `whom nobody is, nobody finds`(lookup: UserLookup) async throws {
        try await withAnn { cloud, _ throws in
            #expect(try cloud.user(matching: lookup, in: notes) == nil)
        }
    }

    @Test func `only a discoverable person is shown with his name`() async throws {
        try await withAnn { cloud, _ throws in
            let lookup = UserLookup.emailAddress("ann@example.org")
            let ann = try #require(try cloud.user(matching: lookup, in: notes))
            #expect(!ann.isDiscoverable)
            #expect(
                ann.identity(foundBy: lookup)
                    == UserIdentity(userRecordName: ann.userRecordName, nameComponents: nil, lookup: lookup))
            _ = try cloud.addAccount(
                email: "bob@example.org", name: NameComponents(givenName: "Bob"), isDiscoverable: true,
                passwordHash: nil)
            let bob = try #require(try cloud.user(matching: .emailAddress("bob@example.org"), in: notes))
            #expect(bob.identity(foundBy: nil).nameComponents == NameComponents(givenName: "Bob"))
        }
    }

    @Test func `a telephone number has one account, and must be one`() async throws {
        try await withAnn { cloud, _ throws in
            let taken = #expect(throws: CloudError.self) {
                try cloud.addAccount(email: "bob@example.org", phone: "0049 170 1234567", passwordHash: nil)
            }
            #expect(taken?.code == .exists && taken?.reason.contains("491701234567") == true)
            let wrong = #expect(throws: CloudError.self) {
                try cloud.addAccount(email: "bob@example.org", phone: "12", passwordHash: nil)
            }
            #expect(wrong?.code == .badRequest && wrong?.reason.contains("'12'") == true)
            _ = try cloud.addAccount(email: "bob@example.org", passwordHash: nil)
            _ = try cloud.addAccount(email: "eve@example.org", passwordHash: nil)
        }
    }
}
