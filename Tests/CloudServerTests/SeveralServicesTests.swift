import CloudCore
import CloudCrypto
import CloudServer
import CloudStorage
import CloudTestSupport
import DatabaseTestSupport
import HTTPCore
import PostgresDriver
import SQLCore
import Testing

/// A database that tells nobody of commits, so that only looking helps.
private struct SilentDatabase: SQLDatabase {
    let base: any SQLDatabase
    var hasConcurrentReaders: Bool { base.hasConcurrentReaders }
    var writers: Int { base.writers }
    var readers: Int { base.readers }
    var isShared: Bool { base.isShared }
    func connect() throws(SQLError) -> any SQLConnection { try base.connect() }
}

/// Services of their own on one PostgreSQL schema, as processes are.
@Suite(.enabled(if: PostgresTestDatabase.address != nil)) struct SeveralServicesTests {
    private func withTwo<T>(isSilent: Bool, _ body: (TestCloud, TestCloud) async throws -> T) async throws -> T {
        let test = try PostgresTestDatabase()
        var database = test.database
        (database.writers, database.readers) = (2, 2)
        let shared: any SQLDatabase = isSilent ? SilentDatabase(base: database) : database
        let setUp = CloudSetUp(
            way: .inProcess, storage: TestStorage("a shared PostgreSQL") { TestDatabase(shared) })
        let clock = ManualClock(1_772_600_767_000, step: 0)
        let first = try TestCloud(on: setUp, clock: clock)
        let second = try TestCloud(on: setUp, clock: clock)
        let result = try await body(first, second)
        await first.close()
        await second.close()
        try test.remove()
        return result
    }

    /// The target of a poll of the user's new push token.
    private func poll(of user: TestUser) async throws -> String {
        let created = await user.post("tokens/create", #"{"apnsEnvironment":"development"}"#)
        let token = try #require(Bodies.string("apnsToken", in: created.body), "\(created.body)")
        let bound = await user.post("tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
        let url = try #require(Bodies.string("webcourierURL", in: bound.body), "\(bound.body)")
        return String(url.dropFirst(TestCloud.url.count))
    }

    @Test(arguments: [false, true], [false, true])
    func `a parked poll is answered by a save at another service, and once`(isSilent: Bool, takes: Bool) async throws {
        let isPrompt = try await isPrompt {
            try await withTwo(isSilent: isSilent) { here, there in
                let phone = try await here.signIn("anna@example.org", device: "phone")
                let tablet = try await there.signIn("anna@example.org", device: "tablet")
                _ = await phone.post("private/subscriptions/modify", Bodies.subscription("s1"))
                let target = try await poll(of: tablet) + (takes ? "" : "&after=0")
                async let answer = there.send("GET", target)
                try await until { there.service.parkedPolls == 1 }
                _ = await phone.post("private/records/modify", Bodies.note("n1", title: "milk"))
                let saved = ContinuousClock.now
                let push = await answer
                let took = ContinuousClock.now - saved
                #expect(String(decoding: push.body, as: UTF8.self).contains(#""rid":"n1""#))
                #expect(push.headers["X-Cumulet-Push-Sequence"] == "1")
                let (left, last) = try await here.store.read { transaction in
                    (
                        try transaction.connection.first("SELECT count(*) FROM outbox") { $0.integer(0) },
                        try transaction.connection.first("SELECT tail FROM push_token") { $0.integer(0) }
                    )
                }
                #expect(left == 0 && last == 1)
                return took
            }
        }
        #expect(isPrompt)
    }

    @Test(arguments: [false, true])
    func `a sign-out at one service is one at the other, which also ends its polls`(isSilent: Bool) async throws {
        let isPrompt = try await isPrompt {
            try await withTwo(isSilent: isSilent) { here, there in
                let phone = try await here.signIn("anna@example.org", device: "phone")
                let same = phone.at(there)
                #expect(await same.post("public/users/current").status == 200)  // remembered from now on
                let target = try await poll(of: same)
                async let answer = there.send("GET", target + "&after=0")
                try await until { there.service.parkedPolls == 1 }
                let out = await here.request(
                    "POST", "/cumulet/1/sign-out", json: #"{"deviceSession":"\#(phone.deviceSession)"}"#)
                #expect(out.status == 200)
                let signedOut = ContinuousClock.now
                #expect(await phone.post("public/users/current").isRefusal("AUTHENTICATION_REQUIRED"))
                let ended = await answer
                #expect(ended.status == 200 && ended.body.isEmpty)
                try await until { await same.post("public/users/current").isRefusal("AUTHENTICATION_REQUIRED") }
                let took = ContinuousClock.now - signedOut
                #expect(await there.send("GET", target).status == 404)
                return took
            }
        }
        #expect(isPrompt)
    }

    @Test(arguments: [false, true])
    func `a key revoked and an account disabled at one service are so at the other`(isSilent: Bool) async throws {
        let isPrompt = try await isPrompt {
            try await withTwo(isSilent: isSilent) { here, there in
                let bert = try await there.signIn("bert@example.org", device: "desk")
                let signer = P256PrivateKey()
                let key = try await KeyedCloud.add(signer.publicKey, to: here)
                let keyed = KeyedCloud(at: there, signer: signer, key: key)
                #expect(await keyed.send("public/users/caller").status == 200)
                #expect(await bert.post("public/users/current").status == 200)
                // Both are remembered at the other service.
                try await here.store.write { transaction in
                    try transaction.revokeServerKey(key.id)
                    try transaction.setDisabled(
                        true, account: transaction.requireAccount(email: "bert@example.org"))
                }
                let ended = ContinuousClock.now
                try await until { await keyed.send("public/users/caller").isRefusal("AUTHENTICATION_FAILED") }
                try await until { await bert.post("public/users/current").isRefusal("AUTHENTICATION_REQUIRED") }
                return ContinuousClock.now - ended
            }
        }
        #expect(isPrompt)
    }

    @Test func `a part in a share that ends at one service is over with the next request at the other`() async throws {
        try await withTwo(isSilent: true) { here, there in
            let shared = try await SharedCloud(here, bertAt: there)
            let share = try await shared.share(#""publicPermission":"READ_WRITE""#)
            let link = SharedCloud.links(share.shortGUID ?? "")
            let zone = #""zoneID":{"zoneName":"Notes","ownerRecordName":"\#(shared.anna.name)"}"#
            let lookup = #"{\#(zone),"records":[{"recordName":"root"}]}"#
            let save = #"{\#(zone),"operations":[{"operationType":"forceUpdate","record":{"recordName":"root"}}]}"#
            for permission in ["NONE", nil] {
                _ = try await shared.metadata("accept", link, by: shared.bert)
                #expect(await shared.bert.post("shared/records/lookup", lookup).body.contains(#""recordName":"root""#))
                if let permission {
                    try await shared.setPublic(permission)
                } else {
                    _ = await shared.anna.post("private/records/modify", Bodies.delete("S", zone: "Notes"))
                }
                #expect(await shared.bert.post("shared/records/lookup", lookup).isRefusal("ZONE_NOT_FOUND"))
                #expect(await shared.bert.post("shared/records/modify", save).isRefusal("ZONE_NOT_FOUND"))
                if permission != nil { try await shared.setPublic("READ_WRITE") }
            }
        }
    }

    @Test(arguments: [false, true])
    func `what a service that is no more left in the outbox, another delivers`(isSilent: Bool) async throws {
        let isPrompt = try await isPrompt {
            try await withTwo(isSilent: isSilent) { here, there in
                let phone = try await here.signIn("anna@example.org", device: "phone")
                let target = try await poll(of: phone)
                async let answer = here.send("GET", target)
                try await until { here.service.parkedPolls == 1 }
                // Written past everything that would tell of it.
                try await there.store.write { transaction in
                    _ = try transaction.connection.execute(
                        """
                        INSERT INTO outbox (container, environment, user_name, payload, collapse_key)
                        VALUES (?1, 'development', ?2, ?3, '')
                        """, .text(TestCloud.container), .text(phone.name), .blob(Array("{}".utf8)))
                }
                let left = ContinuousClock.now
                #expect(await answer.body == Array("{}".utf8))
                let took = ContinuousClock.now - left
                return took
            }
        }
        #expect(isPrompt)
    }

    @Test func `a record type made at one service is known at the other with the answer`() async throws {
        try await withTwo(isSilent: true) { here, there in
            let anna = try await here.signIn("anna@example.org", device: "phone")
            let bert = try await there.signIn("bert@example.org", device: "desk")
            // The other service remembers the schema before.
            #expect(await bert.post("private/records/modify", Bodies.note("n0", title: "old")).status == 200)
            let save = #"{"operations":[{"operationType":"create","record":{"recordType":"Cake","fields":"#
            let made = await anna.post("private/records/modify", save + #"{"eggs":{"value":3}}}}]}"#)
            #expect(made.status == 200 && !made.body.contains("serverErrorCode"))
            let wrong = await bert.post(
                "private/records/modify", save + #"{"eggs":{"value":"many","type":"STRING"}}}}]}"#)
            #expect(wrong.isRefusal("BAD_REQUEST", naming: "eggs"))
            let found = await bert.post("private/records/query", #"{"query":{"recordType":"Cake"}}"#)
            #expect(found.status == 200, "\(found.body)")
        }
    }
}
