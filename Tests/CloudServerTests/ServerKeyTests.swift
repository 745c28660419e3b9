import CloudCore
import CloudCrypto
import CloudServer
import CloudStorage
import CloudTestSupport
import HTTPCore
import Testing

/// A service whose clock stands, and a key of its container.
struct KeyedCloud {
    let cloud: TestCloud
    let signer: P256PrivateKey
    let key: ServerKey
    static let base = "/database/1/\(TestCloud.container)/development"

    init(prefix: String = "", allowsUnhashed: Bool = false, limits: CloudLimits = CloudLimits()) async throws {
        cloud = try TestCloud(limits: limits, clock: ManualClock(1_772_600_767_000, step: 0)) {
            $0.publicAddress = PublicAddress("https://cloud.example.org" + prefix)
            $0.allowsUnhashedBodies = allowsUnhashed
        }
        signer = P256PrivateKey()
        key = try await Self.add(signer.publicKey, to: cloud)
    }

    /// A key that some service of several has.
    init(at cloud: TestCloud, signer: P256PrivateKey, key: ServerKey) {
        (self.cloud, self.signer, self.key) = (cloud, signer, key)
    }

    static func add(_ key: P256PublicKey, to cloud: TestCloud, _ environment: CloudEnvironment = .development)
        async throws -> ServerKey
    {
        try await cloud.store.write { transaction in
            let container = ContainerID(TestCloud.container)
            if try !transaction.containerExists(container) { try transaction.createContainer(container) }
            return try transaction.addServerKey(
                container: container, environment: environment, name: "test", publicKey: key.der)
        }
    }

    /// What the service's clock says.
    static let date = "2026-03-04T05:06:07Z"

    func send(
        _ operation: String, _ body: String = "{}", method: String = "POST", signing path: String? = nil,
        hash: String? = nil, date: String = Self.date, keyID: String? = nil, to target: String? = nil,
        with other: P256PrivateKey? = nil
    ) async -> TestAnswer {
        let target = target ?? Self.base + "/" + operation
        let hash = hash ?? Base64.encode(Crypto.sha256(Array(body.utf8)))
        let message = "\(date):\(hash):\(path ?? target)"
        let signature = (other ?? signer).sign(Array(message.utf8))
        let response = await cloud.send(
            method, target,
            headers: [
                "X-Apple-CloudKit-Request-KeyID": keyID ?? key.id, "X-Apple-CloudKit-Request-ISO8601Date": date,
                "X-Apple-CloudKit-Request-SignatureV1": Base64.encode(signature), "Content-Type": "text/plain",
            ], body: Array(body.utf8))
        return TestAnswer(status: response.status, body: String(decoding: response.body, as: UTF8.self))
    }
}

@Suite struct `Server-to-server keys` {
    private static let base = KeyedCloud.base
    private static let caller = base + "/public/users/caller"

    @Test func `the worked example of the protocol reference verifies`() async throws {
        let cloud = try TestCloud(clock: ManualClock(1_772_600_767_000, step: 0))
        let der = try #require(
            Base64.decode(
                "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWF0b00Qfi6UMDfF+fexxLUIPSQ+k2798vb8Zb9a/w6KTENW56bQa4RVtR5mM6AuGNoEm"
                    + "AhNjp+ealvZDVkirtQ=="))
        let publicKey = try #require(P256PublicKey(der: der))
        let key = try await KeyedCloud.add(publicKey, to: cloud)
        let headers: HTTPHeaders = [
            "X-Apple-CloudKit-Request-KeyID": key.id, "X-Apple-CloudKit-Request-ISO8601Date": "2026-03-04T05:06:07Z",
            "X-Apple-CloudKit-Request-SignatureV1":
                "MEQCIFcoKRYXKE7af7Yn3f2KuvhGzf+WqUc0sopj78cRLHCYAiB6pNTudzT57H7ndeZwAsf8dPEcdlTuxnMAY74oFxQtfw==",
        ]
        let body = Array(#"{"query":{"recordType":"Note"}}"#.utf8)
        // The query is of a type that nobody has saved: it comes as far as that.
        let answer = await cloud.send("POST", Self.base + "/public/records/query", headers: headers, body: body)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("Did not find record type: Note"))
        let other = await cloud.send("POST", Self.base + "/public/records/query", headers: headers, body: body + [32])
        #expect(other.status == 401)
        await cloud.close()
    }

    @Test func `path and query may be signed with the address's prefix or without`() async throws {
        let cloud = try await KeyedCloud(prefix: "/cloud")
        for target in [Self.caller, "/cloud" + Self.caller, Self.caller + "?a=b", "/cloud" + Self.caller + "?a=b%20c"] {
            let path = target.hasPrefix("/cloud") ? String(target.dropFirst(6)) : target
            let bare = String(path.prefix { $0 != "?" })
            for signed in [path, bare, "/cloud" + path, "/cloud" + bare] {
                let answer = await cloud.send("", signing: signed, to: target)
                #expect(
                    answer.status == 200 && answer.body.contains(cloud.key.userRecordName), "\(target) as \(signed)")
            }
            for signed in ["", "/", bare + "/", bare + "?a=c", "/other" + bare, "https://cloud.example.org" + bare] {
                let answer = await cloud.send("", signing: signed, to: target)
                #expect(
                    answer.status == 401 && answer.isRefusal("AUTHENTICATION_FAILED", naming: "signature"), "\(signed)")
            }
        }
        await cloud.cloud.close()
    }

    @Test func `an empty hash stands for an empty body, for others only where that is allowed`() async throws {
        for allows in [false, true] {
            let cloud = try await KeyedCloud(allowsUnhashed: allows)
            #expect(await cloud.send("public/users/caller", "", method: "GET", hash: "").status == 200)
            #expect(await cloud.send("public/users/caller", "", method: "GET").status == 200)
            #expect(await cloud.send("public/users/caller", "", method: "POST", hash: "").status == 200)
            #expect(await cloud.send("public/users/caller", "{}", method: "GET").status == 200)
            #expect(await cloud.send("public/users/caller", "{}", hash: "").status == (allows ? 200 : 401))
            await cloud.cloud.close()
        }
    }

    @Test(arguments: [
        ("2026-03-04T05:06:07Z", true), ("2026-03-04T05:06:07+00:00", true), ("2026-03-04T05:16:07Z", true),
        ("2026-03-04T04:56:07Z", true), ("2026-03-04T05:16:08Z", false), ("2026-03-04T04:56:06Z", false),
        ("2026-03-04T05:06:07", false), ("2026-03-04T05:06:07+01:00", false), ("2026-03-04 05:06:07Z", false),
        ("2026-13-04T05:06:07Z", false), ("1772600767", false), ("x", false),
    ])
    func `a signature is good for ten minutes before and after its date`(date: String, isGood: Bool) async throws {
        let cloud = try await KeyedCloud()
        let answer = await cloud.send("public/users/caller", date: date)
        #expect(answer.status == (isGood ? 200 : 401), "\(answer.body)")
        if !isGood {
            #expect(
                answer.isRefusal("AUTHENTICATION_FAILED", naming: "Authentication failed: X-Apple-CloudKit-Request-ISO")
            )
        }
        await cloud.cloud.close()
    }

    @Test func `a key writes as one user, who owns what it makes`() async throws {
        let cloud = try await KeyedCloud()
        let saved = await cloud.send("public/records/modify", Bodies.note("n1", title: "milk"))
        #expect(saved.status == 200 && saved.body.contains(#""userRecordName":"\#(cloud.key.userRecordName)""#))
        let tag = try #require(Bodies.string("recordChangeTag", in: saved.body))
        let updated = await cloud.send(
            "public/records/modify",
            #"{"operations":[{"operationType":"update","record":{"recordName":"n1","recordType":"Note","#
                + #""recordChangeTag":"\#(tag)","fields":{"title":{"value":"bread"}}}}]}"#)
        #expect(updated.status == 200 && updated.body.contains("bread"))
        let found = await cloud.send("public/records/query", #"{"query":{"recordType":"Note"}}"#)
        #expect(found.body.contains("bread"))

        // What others have made it may read, not write.
        let anna = try await cloud.cloud.signIn("anna@example.org")
        _ = await anna.post("public/records/modify", Bodies.note("n2", title: "eggs"))
        let denied = await cloud.send(
            "public/records/modify",
            #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"n2"}}]}"#)
        #expect(denied.isRefusal("ACCESS_DENIED", naming: "WRITE operation not permitted"))
        let refused = await anna.post(
            "public/records/modify",
            #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"n1"}}]}"#)
        #expect(refused.isRefusal("ACCESS_DENIED"))

        let subscription =
            #"{"subscriptionID":"s","subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["create"]}"#
        let made = await cloud.send(
            "public/subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":\#(subscription)}]}"#)
        #expect(made.status == 200 && !made.body.contains("serverErrorCode"), "\(made.body)")
        #expect(await cloud.send("public/subscriptions/list", "", method: "GET").body.contains(#""s""#))
        #expect(await anna.post("public/subscriptions/list").body.contains(#""subscriptions":[]"#))
        await cloud.cloud.close()
    }

    @Test func `a key opens the public database of its container and environment only`() async throws {
        let cloud = try await KeyedCloud()
        for operation in [
            "private/records/query", "shared/zones/list", "private/zones/list", "private/changes/database",
        ] {
            let answer = await cloud.send(operation)
            #expect(answer.status == 403 && answer.isRefusal("ACCESS_DENIED", naming: "public database only"))
        }
        let elsewhere = await cloud.send("", to: "/database/1/iCloud.org.example.tasks/development/public/users/caller")
        #expect(
            elsewhere.status == 401 && elsewhere.isRefusal("AUTHENTICATION_FAILED", naming: "is not one of container"))
        await cloud.cloud.close()
    }

    @Test func `a key looks people up, but discovers nobody`() async throws {
        let cloud = try await KeyedCloud()
        let discovered = await cloud.send("public/users/discover", #"{"lookupInfos":[]}"#)
        #expect(discovered.status == 401 && discovered.isRefusal("AUTHENTICATION_FAILED", naming: "needs a user"))
        _ = try await cloud.cloud.store.write {
            try $0.addAccount(email: "ann@example.org", isDiscoverable: true, passwordHash: nil)
        }
        let found = await cloud.send("public/users/lookup/email", #"{"users":[{"emailAddress":"Ann@example.org"}]}"#)
        #expect(found.status == 200 && found.body.contains(#""emailAddress":"ann@example.org""#))
        await cloud.cloud.close()
    }

    @Test func `what is not signed by the key is refused before it does anything`() async throws {
        let cloud = try await KeyedCloud()
        let other = P256PrivateKey()
        let note = Bodies.note("n1", title: "milk")
        #expect(await cloud.send("public/records/modify", note, with: other).status == 401)
        let unknown = await cloud.send("public/records/modify", note, keyID: String(repeating: "a", count: 64))
        #expect(unknown.status == 401 && unknown.isRefusal("AUTHENTICATION_FAILED", naming: "is not one of container"))
        #expect(await cloud.send("public/records/modify", note, keyID: "x").status == 401)
        #expect(try await cloud.cloud.store.read { try $0.verify() } == [])
        let found = await cloud.send("public/records/lookup", #"{"records":[{"recordName":"n1"}]}"#)
        #expect(found.isRefusal("NOT_FOUND"))
        await cloud.cloud.close()
    }

    @Test func `a signature and query tokens are not mixed`() async throws {
        let cloud = try await KeyedCloud()
        for parameter in ["ckAPIToken", "ckWebAuthToken", "ckSession"] {
            let answer = await cloud.send("", to: Self.caller + "?\(parameter)=\(TestCloud.apiToken())")
            #expect(answer.status == 401 && answer.isRefusal("AUTHENTICATION_FAILED", naming: parameter))
        }
        await cloud.cloud.close()
    }

    @Test func `a missing header is named`() async throws {
        let cloud = try await KeyedCloud()
        let names = ["KeyID", "ISO8601Date", "SignatureV1"].map { "X-Apple-CloudKit-Request-" + $0 }
        for missing in names {
            var headers = HTTPHeaders()
            for name in names where name != missing { headers.append(name, "AAAA") }
            let answer = await cloud.cloud.send("POST", Self.caller, headers: headers)
            #expect(answer.status == 401)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("the header \(missing) is missing"))
        }
        await cloud.cloud.close()
    }

    @Test func `no credentials at all are a bad request`() async throws {
        let cloud = try TestCloud()
        let answer = await cloud.request("GET", Self.caller)
        #expect(answer.status == 400 && answer.isRefusal("BAD_REQUEST", naming: "no credentials"))
        await cloud.close()
    }

    @Test func `a revoked key is refused from the next request on, and leaves its records`() async throws {
        let cloud = try await KeyedCloud()
        _ = await cloud.send("public/records/modify", Bodies.note("n1", title: "milk"))
        let revoked = await cloud.cloud.send(
            "POST", "/cumulet/1/admin/key-revoke", headers: ["X-Cumulet-Admin": "test-secret"],
            body: Array(#"{"keyID":"\#(cloud.key.id)"}"#.utf8))
        #expect(revoked.status == 200)
        #expect(await cloud.send("public/users/caller").status == 401)
        let anna = try await cloud.cloud.signIn("anna@example.org")
        #expect(await anna.post("public/records/lookup", #"{"records":[{"recordName":"n1"}]}"#).body.contains("milk"))
        await cloud.cloud.close()
    }

    @Test func `one key cannot change what another has made`() async throws {
        let cloud = try await KeyedCloud()
        let second = P256PrivateKey()
        let key = try await KeyedCloud.add(second.publicKey, to: cloud.cloud)
        #expect(key.userRecordName != cloud.key.userRecordName && key.id.count == 64)
        _ = await cloud.send("public/records/modify", Bodies.note("n1", title: "milk"))
        let delete = #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"n1"}}]}"#
        let denied = await cloud.send("public/records/modify", delete, keyID: key.id, with: second)
        #expect(denied.isRefusal("ACCESS_DENIED"))
        #expect(await cloud.send("public/records/modify", delete).body.contains(#""deleted":true"#))
        await cloud.cloud.close()
    }

    @Test func `nobody signs in as a key`() async throws {
        let cloud = try await KeyedCloud()
        let answer = await cloud.cloud.request(
            "POST", "/cumulet/1/sign-in",
            json: #"{"emailAddress":"key:\#(cloud.key.id)","deviceID":"d","deviceName":""}"#)
        #expect(answer.status == 400, "\(answer.body)")
        await cloud.cloud.close()
    }
}
