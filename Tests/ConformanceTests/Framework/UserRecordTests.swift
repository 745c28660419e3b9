import CloudKit
import CloudTestSupport
import Testing

@Suite struct `The user's own record` {
    @Test(arguments: CloudSetUp.available)
    func `has always been there, is saved like any other and left alone by a refusal`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            let id = try await container.userRecordID()
            for database in [container.privateCloudDatabase, container.publicCloudDatabase] {
                let first = try await database.record(for: id)
                #expect(first.recordType == "Users" && first.allKeys().isEmpty)
                first["bad"] = UInt64.max
                #expect(try await database.result(of: first)?.code == .invalidArguments)
                #expect(try await database.record(for: id).recordChangeTag == first.recordChangeTag)

                let user = try await phones.cloud.signIn("alice@example.com")
                let scope = database.databaseScope == .public ? "public" : "private"
                let stale = await user.post(
                    "\(scope)/records/modify",
                    JSONText.modify([JSONText.record("update", user.name, type: "Users", tag: "stale")]))
                #expect(try JSONText.codes(in: stale.body) == ["CONFLICT"], "\(stale)")
                #expect(try await database.record(for: id).recordChangeTag == first.recordChangeTag)

                let good = try await database.record(for: id)
                good["nickname"] = "Al"
                try await database.save(good)
                #expect(try await database.record(for: id)["nickname"] as? String == "Al")
                await #expect(throws: CKError.self) { try await database.deleteRecord(withID: id) }
            }
        }
    }
}
