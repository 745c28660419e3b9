import CloudClient
import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `A container` {
    @Test func `asks nothing of the service when it is made, and always has its three databases`() {
        let transport = ScriptedTransport([])
        let device = CloudDevice(
            transport: transport, store: DeviceStore(inMemory: DeviceSettings()), environment: { _ in nil })
        let container = device.withCurrent { CKContainer(identifier: "iCloud.org.example") }
        #expect(container.containerIdentifier == "iCloud.org.example")
        let scopes: [CKDatabase.Scope] = [.public, .private, .shared]
        #expect(scopes.map { container.database(with: $0).databaseScope } == scopes)
        #expect(container.database(with: .private) === container.privateCloudDatabase)
        #expect(transport.requests.isEmpty)
    }

    @Test func `without an identifier is the one named after the app`() {
        #expect(CKContainer.default().containerIdentifier?.hasPrefix("iCloud.") == true)
        #expect(CKContainer.default().containerIdentifier != "iCloud.")
    }

    @Test func `that the service does not have is badContainer when it is used`() async throws {
        let cloud = try TestCloud.strict()
        let session = try await cloud.newDeviceSession("alice@example.com")
        let device = CloudDevice(
            transport: cloud.transport,
            store: DeviceStore(
                inMemory: DeviceSettings(
                    server: cloud.url, emailAddress: "alice@example.com", deviceSession: session)),
            environment: { _ in nil })
        for name in ["iCloud.org.example.absent", "no container's name"] {
            let container = device.withCurrent { CKContainer(identifier: name) }
            let error = await #expect(throws: CKError.self) {
                try await container.privateCloudDatabase.allRecordZones()
            }
            #expect(error?.code == .badContainer, "\(error as Any)")
        }
        await cloud.close()
    }

    @Test func `gives an operation itself, a database gives it both, and without one it is the private database`()
        async throws
    {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            try await container.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            let log = Log()
            let bare = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
            bare.perRecordZoneResultBlock = { id, _ in log.add(id.zoneName) }
            await container.run(bare)
            #expect(Set(log.all) == ["_defaultZone", "Notes"])
            #expect(bare.configuration.container === container)

            let open = CKFetchRecordZonesOperation(recordZoneIDs: [.default])
            await container.publicCloudDatabase.run(open)
            #expect(open.database?.databaseScope == .public)
            #expect(open.configuration.container?.containerIdentifier == container.containerIdentifier)
        }
    }

    @Test func `knows a user by a name of its own, the same on all devices`() async throws {
        try await quick.withPhones { phones in
            let (phone, tablet) = (try await phones.device(), try await phones.device())
            let id = try await Phones.container(on: phone).userRecordID()
            #expect(id.zoneID == .default)
            #expect(id.recordName.wholeMatch(of: /_[0-9a-f]{32}/) != nil)
            #expect(try await Phones.container(on: tablet).userRecordID() == id)
            let other = phone.withCurrent { CKContainer(identifier: "iCloud.org.example.other") }
            #expect(try await other.userRecordID() != id)
            let bob = Phones.container(on: try await phones.device("bob@example.com"))
            #expect(try await bob.userRecordID() != id)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `has a record of the user in two databases, to fetch and save, not to make or query`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            for database in [container.privateCloudDatabase, container.publicCloudDatabase] {
                let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
                operation.recordIDs = [noteID("ignored")]
                // Written on the operation's serial queue only, and read when it has called its last block.
                nonisolated(unsafe) var found: [CKRecord] = []
                operation.perRecordResultBlock = { if case .success(let record) = $1 { found.append(record) } }
                await database.run(operation)
                #expect(operation.recordIDs == nil)
                let user = try #require(found.first)
                #expect(found.count == 1 && user.recordType == CKRecordTypeUserRecord && user.allKeys().isEmpty)

                let stranger = CKRecord(
                    recordType: CKRecordTypeUserRecord,
                    recordID: CKRecord.ID(recordName: "_" + String(repeating: "a", count: 32)))
                #expect(try await database.result(of: stranger)?.isSuccess == false)
                let mine = CKRecord(recordType: CKRecordTypeUserRecord)
                #expect(try await database.result(of: mine)?.isSuccess == false)
                let query = CKQuery(recordType: CKRecordTypeUserRecord, predicate: NSPredicate(value: true))
                await #expect(throws: CKError.self) { try await database.records(matching: query) }

                user["mood"] = "fine"
                try await database.save(user)
                #expect(try await database.record(for: user.recordID)["mood"] as? String == "fine")
            }
        }
    }
}
