import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import Testing

@Suite struct `Finding people` {
    /// Ann can be found, Bob cannot.
    private func withPeople(_ body: (TestCloud, TestUser, TestUser) async throws -> Void) async throws {
        let cloud = try TestCloud()
        try await cloud.store.write { transaction in
            _ = try transaction.addAccount(
                email: "ann@example.org", phone: "+49 170 1234567",
                name: NameComponents(givenName: "Ann", familyName: "Lee", nickname: "An"), isDiscoverable: true,
                passwordHash: nil)
            _ = try transaction.addAccount(
                email: "bob@example.org", name: NameComponents(givenName: "Bob"), passwordHash: nil)
        }
        try await body(cloud, cloud.signIn("ann@example.org"), cloud.signIn("bob@example.org", device: "other"))
        await cloud.close()
    }

    @Test func `a discoverable person is found by address, number and name, with what he was found by`() async throws {
        try await withPeople { _, ann, bob in
            let infos =
                #"[{"emailAddress":"ANN@example.org"},{"phoneNumber":"0049 170 1234567"},{"userRecordName":"\#(ann.name)"}]"#
            let answer = await bob.post("public/users/discover", #"{"lookupInfos":\#(infos)}"#)
            let names = #""nameComponents":{"givenName":"Ann","familyName":"Lee","nickname":"An"}"#
            let wanted = [
                #""emailAddress":"ANN@example.org""#, #""phoneNumber":"0049 170 1234567""#,
                #""userRecordName":"\#(ann.name)""#,
            ].map { #"{"userRecordName":"\#(ann.name)",\#(names),"lookupInfo":{\#($0)}}"# }
            #expect(answer.status == 200)
            #expect(answer.body == #"{"users":[\#(wanted.joined(separator: ","))]}"#)
        }
    }

    @Test func `who is unknown, disabled or not discoverable is left out`() async throws {
        try await withPeople { cloud, ann, bob in
            let infos =
                #"[{"emailAddress":"bob@example.org"},{"emailAddress":"eve@example.org"},{"phoneNumber":"no number"},"#
                + #"{"userRecordName":"\#(bob.name)"},{"userRecordName":"_0"}]"#
            let answer = await ann.post("public/users/discover", #"{"lookupInfos":\#(infos)}"#)
            #expect(answer.status == 200 && answer.body == #"{"users":[]}"#)
            try await cloud.store.write {
                try $0.setDisabled(true, account: $0.requireAccount(email: "ann@example.org"))
            }
            let gone = await bob.post("public/users/discover", #"{"lookupInfos":[{"emailAddress":"ann@example.org"}]}"#)
            #expect(gone.body == #"{"users":[]}"#)
        }
    }

    @Test func `nobody is discovered without being named`() async throws {
        try await withPeople { cloud, _, bob in
            let listed = await cloud.request("GET", bob.path("public/users/discover"))
            #expect(listed.status == 200 && listed.body == #"{"users":[]}"#)
            let contacts = await bob.post("public/users/lookup/contacts")
            #expect(contacts.status == 200 && contacts.body == #"{"users":[],"contacts":[]}"#)
        }
    }

    @Test func `the older operations tell first and last name`() async throws {
        try await withPeople { _, ann, bob in
            let user =
                #"{"userRecordName":"\#(ann.name)","firstName":"Ann","lastName":"Lee","emailAddress":"ann@example.org"}"#
            let byEmail = await bob.post(
                "public/users/lookup/email",
                #"{"users":[{"emailAddress":"ann@example.org"},{"emailAddress":"bob@example.org"}]}"#)
            #expect(byEmail.body == #"{"users":[\#(user),{"userRecordName":"\#(bob.name)"}]}"#)
            let byID = await ann.post(
                "public/users/lookup/id",
                #"{"users":[{"userRecordName":"\#(ann.name)"},{"userRecordName":"\#(bob.name)"}]}"#)
            #expect(byID.body == #"{"users":[\#(user)]}"#)
            let current = await ann.post("public/users/current")
            #expect(current.body == user)
            let caller = await ann.post("public/users/caller")
            #expect(caller.body.contains(#""nickname":"An""#))
            #expect(caller.body.contains(#""lookupInfo":{"emailAddress":"ann@example.org"}"#))
            for operation in ["public/users/current", "public/users/caller"] {
                #expect(await bob.post(operation).body == #"{"userRecordName":"\#(bob.name)"}"#)
            }
        }
    }

    @Test func `discoverability in one container goes before that of the account`() async throws {
        try await withPeople { cloud, ann, bob in
            let tasks = try await cloud.signIn(
                "bob@example.org", device: "third", container: "iCloud.org.example.tasks")
            let request = #"{"lookupInfos":[{"emailAddress":"ann@example.org"}]}"#
            try await cloud.store.write { transaction in
                let account = try transaction.requireAccount(email: "ann@example.org").id
                try transaction.setDiscoverable(false, account: account, in: ContainerID(TestCloud.container))
            }
            #expect(await bob.post("public/users/discover", request).body == #"{"users":[]}"#)
            let elsewhere = await tasks.post("public/users/discover", request)
            #expect(elsewhere.body.contains(#""givenName":"Ann""#) && !elsewhere.body.contains(ann.name))
        }
    }

    @Test func `who was discovered is found by his user record name afterwards`() async throws {
        try await withPeople { cloud, _, bob in
            _ = try await cloud.store.write {
                try $0.addAccount(email: "eve@example.org", isDiscoverable: true, passwordHash: nil)
            }
            let found = await bob.post(
                "public/users/discover", #"{"lookupInfos":[{"emailAddress":"eve@example.org"}]}"#)
            let name = try #require(Bodies.string("userRecordName", in: found.body))
            let again = await bob.post("public/users/lookup/id", #"{"users":[{"userRecordName":"\#(name)"}]}"#)
            #expect(again.body.contains(#""emailAddress":"eve@example.org""#))
        }
    }

    @Test func `without a user nobody is found, and more than a request may ask is refused`() async throws {
        try await withPeople { cloud, _, bob in
            let path =
                "/database/1/\(TestCloud.container)/development/public/users/discover?ckAPIToken=\(TestCloud.apiToken())"
            #expect(await cloud.request("POST", path, json: #"{"lookupInfos":[]}"#).status == 421)
            func request(_ count: Int) -> String {
                let info = #"{"emailAddress":"a@example.org"}"#
                return #"{"lookupInfos":[\#(Array(repeating: info, count: count).joined(separator: ","))]}"#
            }
            #expect(await bob.post("public/users/discover", request(400)).status == 200)
            let refused = await bob.post("public/users/discover", request(401))
            #expect(refused.status == 400 && refused.isRefusal("BAD_REQUEST", naming: "401 users"))
            let empty = await bob.post("public/users/discover", #"{"lookupInfos":[{}]}"#)
            #expect(empty.isRefusal("BAD_REQUEST", naming: "emailAddress"))
        }
    }

    @Test func `a user's own record is there for him to read and change, and is not queried`() async throws {
        try await withPeople { _, ann, bob in
            let lookup = #"{"records":[{"recordName":"\#(ann.name)"}]}"#
            #expect(await ann.post("public/records/lookup", lookup).body.contains(#""recordType":"Users""#))
            func change(_ value: String) -> String {
                #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"\#(ann.name)","#
                    + #""recordType":"Users","fields":{"city":{"value":"\#(value)"}}}}]}"#
            }
            let saved = await ann.post("public/records/modify", change("Bonn"))
            #expect(saved.status == 200 && saved.body.contains("Bonn") && !saved.body.contains("serverErrorCode"))
            #expect(await bob.post("public/records/lookup", lookup).body.contains("Bonn"))
            #expect(await bob.post("public/records/modify", change("Rome")).isRefusal("BAD_REQUEST", naming: ann.name))
            let query = await ann.post("public/records/query", #"{"query":{"recordType":"Users"}}"#)
            #expect(query.isRefusal("BAD_REQUEST", naming: "Users"))
            let deletion = await ann.post("public/records/modify", Bodies.delete(ann.name))
            #expect(deletion.isRefusal("BAD_REQUEST", naming: "Users"))
        }
    }

    @Test func `a client without a user gets a push token that is polled and registered`() async throws {
        let cloud = try TestCloud { $0.longestPoll = .milliseconds(1) }
        let base = "/device/1/\(TestCloud.container)/development/tokens/"
        let credentials = "?ckAPIToken=\(TestCloud.apiToken())"
        let made = await cloud.request(
            "POST", base + "create" + credentials, json: #"{"apnsEnvironment":"development"}"#)
        #expect(made.status == 200, "\(made.body)")
        let token = try #require(Bodies.string("apnsToken", in: made.body))
        func register(_ token: String) async -> TestAnswer {
            await cloud.request(
                "POST", base + "register" + credentials,
                json: #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
        }
        #expect(await register(token).status == 200)
        #expect(await register("AAAA").isRefusal("BAD_REQUEST", naming: "apnsToken"))
        let url = try #require(Bodies.string("webcourierURL", in: made.body))
        let poll = await cloud.request("GET", String(url.dropFirst(TestCloud.url.count)))
        #expect(poll.status == 200 && poll.body.isEmpty)
        await cloud.close()
    }
}
