import CloudCore
import CloudStorage
import Testing

@Suite struct `A store that was restored` {
    @Test func `refuses the change tokens from before as expired, and numbers pushes beyond what devices saw`()
        async throws
    {
        let fixture = try RecordFixture()
        try await fixture.makeZone("Notes")
        let zone = fixture.zone("Notes")
        try await fixture.modify(fixture.operation(.create, "a", ["title": .string("milk")], zone: zone))
        let page = try await fixture.store.read {
            try $0.zoneChanges(zone, in: fixture.database(), since: nil, limit: 10)
        }
        let token = try await fixture.store.write {
            try $0.registerPushToken(account: 1, clientID: "phone")
        }
        #expect(try await fixture.store.renew() == 1)
        let error = await #expect(throws: CloudError.self) {
            try await fixture.store.read {
                try $0.zoneChanges(zone, in: fixture.database(), since: page.syncToken, limit: 10)
            }
        }
        #expect(error?.reason.contains("expired") == true, "\(String(describing: error))")
        let again = try await fixture.store.read {
            try $0.zoneChanges(zone, in: fixture.database(), since: nil, limit: 10)
        }
        #expect(again.changes.count == 1)
        let renewed = try await fixture.store.write {
            try $0.registerPushToken(account: 1, clientID: "phone")
        }
        #expect(renewed.tail > token.tail + 1_000_000)
        await fixture.store.close()
    }
}
