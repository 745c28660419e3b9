import CloudCore
import CloudCrypto
import CloudServer
import CloudStorage
import CloudTestSupport
import HTTPCore
import SQLCore
import Testing

@Suite struct `Limits of callers and databases` {
    private func limits(_ texts: String...) throws -> CloudLimits {
        var limits = CloudLimits()
        for text in texts { try limits.set(text) }
        return limits
    }

    @Test func `requests beyond the rate are throttled with the time to wait, each caller for himself`() async throws {
        let clock = ManualClock(step: 0)
        let cloud = try TestCloud(limits: limits("requestsPerSecond=2", "requestBurst=3"), clock: clock)
        let anna = try await cloud.signIn("anna@example.org")
        let bert = try await cloud.signIn("bert@example.org", device: "other")
        for _ in 0..<3 { #expect(await anna.post("public/users/caller").status == 200) }
        let throttled = await cloud.send("POST", anna.path("public/users/caller"))
        let text = String(decoding: throttled.body, as: UTF8.self)
        #expect(throttled.status == 429 && throttled.headers["Retry-After"] == "1")
        #expect(text.contains(#""serverErrorCode":"THROTTLED""#) && text.contains(#""retryAfter":0.5"#), "\(text)")
        #expect(text.contains("2 requests a second") && text.contains("at most 3"))
        #expect(throttled.headers["X-Apple-CloudKit-Web-Auth-Token"] != nil)
        #expect(await bert.post("public/users/caller").status == 200)

        clock.advance(milliseconds: 499)
        #expect(await anna.post("public/users/caller").status == 429)
        clock.advance(milliseconds: 1)
        #expect(await anna.post("public/users/caller").status == 200)
        #expect(await anna.post("public/users/caller").status == 429)
        await cloud.close()
    }

    @Test func `callers without a user share the rate of their API token`() async throws {
        let cloud = try TestCloud(
            limits: limits("requestsPerSecond=1", "requestBurst=1"), clock: ManualClock(step: 0))
        let path =
            "/database/1/\(TestCloud.container)/development/public/records/query?ckAPIToken=\(TestCloud.apiToken())"
        #expect(await cloud.request("POST", path, json: #"{"query":{"recordType":"Note"}}"#).status != 429)
        #expect(await cloud.request("POST", path, json: #"{"query":{"recordType":"Note"}}"#).status == 429)
        await cloud.close()
    }

    @Test func `a bad signature does not use up the rate of its key`() async throws {
        let cloud = try await KeyedCloud(limits: limits("requestsPerSecond=1", "requestBurst=1"))
        for _ in 0..<5 { #expect(await cloud.send("public/users/caller", with: .init()).status == 401) }
        #expect(await cloud.send("public/users/caller").status == 200)
        #expect(await cloud.send("public/users/caller").status == 429)
        await cloud.cloud.close()
    }

    @Test func `a database has as many zones as it may have`() async throws {
        let cloud = try TestCloud(limits: limits("zonesPerDatabase=3"))
        let user = try await cloud.signIn("anna@example.org")
        for name in ["A", "B"] {
            #expect(!(await user.post("private/zones/modify", Bodies.zone("create", name)).body.contains("ErrorCode")))
        }
        let refused = await user.post("private/zones/modify", Bodies.zone("create", "C"))
        #expect(refused.isRefusal("BAD_REQUEST", naming: "the database has 3 zones; at most 3 are allowed"))
        // One that is there is no more.
        #expect(!(await user.post("private/zones/modify", Bodies.zone("create", "A")).body.contains("ErrorCode")))
        _ = await user.post("private/zones/modify", Bodies.zone("delete", "B"))
        #expect(!(await user.post("private/zones/modify", Bodies.zone("create", "C")).body.contains("ErrorCode")))
        await cloud.close()
    }

    @Test func `a user has as many subscriptions in a database as he may have`() async throws {
        let cloud = try TestCloud(limits: limits("subscriptionsPerUser=2"))
        let user = try await cloud.signIn("anna@example.org")
        func save(_ id: String) async -> TestAnswer {
            await user.post(
                "private/subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"\#(id)","#
                    + #""subscriptionType":"query","query":{"recordType":"\#(id)"},"firesOn":["create"]}}]}"#)
        }
        for id in ["a", "b"] { #expect(!(await save(id).body.contains("ErrorCode"))) }
        let refused = await save("c")
        #expect(refused.isRefusal("BAD_REQUEST", naming: "has 2 subscriptions in the database; at most 2"))
        #expect(!(await save("a").body.contains("ErrorCode")))
        await cloud.close()
    }

    @Test func `a record type has as many fields as it may have, and a refused record leaves none behind`() async throws
    {
        let cloud = try TestCloud(limits: limits("fieldsPerType=2"))
        let user = try await cloud.signIn("anna@example.org")
        func save(_ name: String, _ fields: String...) async -> TestAnswer {
            let values = fields.map { #""\#($0)":{"value":1}"# }.joined(separator: ",")
            return await user.post(
                "private/records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordName":"\#(name)","recordType":"T","#
                    + #""fields":{\#(values)}}}]}"#)
        }
        let many = await save("n0", "x", "y", "z")
        #expect(many.isRefusal("BAD_REQUEST", naming: "record type 'T' would have 3 fields; at most 2 are allowed"))
        #expect(!(await save("n1", "a", "b").body.contains("ErrorCode")))
        #expect(await save("n2", "c").isRefusal("BAD_REQUEST", naming: "'T' would have 3 fields"))
        #expect(!(await save("n3", "a").body.contains("ErrorCode")))
        await cloud.close()
    }

    @Test func `a request's body has as many bytes as it may have`() async throws {
        let cloud = try TestCloud(limits: limits("requestBytes=1K"))
        let user = try await cloud.signIn("anna@example.org")
        let good = await user.post("public/users/caller", "{}" + String(repeating: " ", count: 1022))
        #expect(good.status == 200)
        let large = await user.post("public/users/caller", "{}" + String(repeating: " ", count: 1023))
        #expect(large.status == 413 && large.isRefusal("BAD_REQUEST", naming: "1024 bytes"))
        await cloud.close()
    }
}

@Suite struct `The size of databases` {
    private func limits(_ bytes: Int) -> CloudLimits {
        var limits = CloudLimits()
        limits.privateDatabaseBytes = bytes
        limits.publicDatabaseBytes = bytes
        return limits
    }

    private func bytes(_ cloud: TestCloud, _ scope: DatabaseScope) async throws -> Int {
        let counted = try await cloud.store.read { transaction in
            try transaction.connection.first(
                "SELECT bytes FROM cloud_database WHERE scope = ?1 ORDER BY id LIMIT 1",
                .integer(Int64(scope.rawValue))
            ) { Int($0.integer(0)) }
        }
        return counted ?? 0
    }

    @Test(arguments: [DatabaseScope.private, .public])
    func `a database takes as many bytes as it may, and not one more`(scope: DatabaseScope) async throws {
        // The size of one record is what the service counts for it.
        let first = try TestCloud()
        let someone = try await first.signIn("anna@example.org")
        let modify = "\(scope.pathName)/records/modify"
        _ = await someone.post(modify, Bodies.note("n1", title: "milk"))
        let size = try await bytes(first, scope)
        await first.close()
        #expect(size > 0)

        for (limit, isEnough) in [(2 * size, true), (2 * size - 1, false)] {
            let cloud = try TestCloud(limits: limits(limit))
            let user = try await cloud.signIn("anna@example.org")
            _ = await user.post(modify, Bodies.note("n1", title: "milk"))
            let second = await user.post(modify, Bodies.note("n2", title: "eggs"))
            if isEnough {
                #expect(second.status == 200 && !second.body.contains("serverErrorCode"))
            } else {
                #expect(second.status == 413 && second.isRefusal("QUOTA_EXCEEDED", naming: "has \(size) bytes"))
                #expect(second.body.contains("would have \(2 * size); at most \(limit) are allowed"))
                #expect(second.body.contains(#""ckErrorCode":25"#))
                let kept = await user.post("\(scope.pathName)/records/lookup", #"{"records":[{"recordName":"n2"}]}"#)
                #expect(kept.isRefusal("NOT_FOUND"))
                // Room is made by what goes, also in the same request.
                let smaller = await user.post(
                    modify,
                    #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"n1"}},"#
                        + #"{"operationType":"create","record":{"recordName":"n2","recordType":"Note","#
                        + #""fields":{"title":{"value":"eggs"}}}}]}"#)
                #expect(smaller.status == 200 && !smaller.body.contains("serverErrorCode"), "\(smaller.body)")
            }
            #expect(try await bytes(cloud, scope) == (isEnough ? 2 * size : size))
            #expect(try await cloud.store.read { try $0.verify() } == [])
            await cloud.close()
        }
    }

    @Test func `what is updated, deleted or deleted with its zone is counted`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
        for name in ["n1", "n2"] {
            _ = await user.post("private/records/modify", Bodies.note(name, title: "milk", zone: "Notes"))
        }
        let before = try await bytes(cloud, .private)
        _ = await user.post(
            "private/records/modify", Bodies.note("n1", title: "milk and bread", zone: "Notes", type: "forceUpdate"))
        #expect(try await bytes(cloud, .private) == before + 10)
        _ = await user.post("private/records/modify", Bodies.delete("n1", zone: "Notes"))
        #expect(try await bytes(cloud, .private) == before / 2)
        _ = await user.post("private/zones/modify", Bodies.zone("delete", "Notes"))
        #expect(try await bytes(cloud, .private) == 0)
        #expect(try await cloud.store.read { try $0.verify() } == [])
        await cloud.close()
    }
}
