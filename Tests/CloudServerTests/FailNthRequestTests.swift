import CloudServer
import CloudStorage
import CloudTestSupport
import DatabaseTestSupport
import HTTPCore
import SQLCore
import SQLiteDriver
import Testing

/// Every call that a request makes to the database fails once, from looking the caller up to the answer.
@Suite struct `A request whose call to the database fails` {
    private struct Request: CustomStringConvertible {
        var method = "POST"
        let path: String
        let body: String
        var description: String { path.split(separator: "?")[0] + " " + body.prefix(60) }
    }

    /// Each may be repeated as it is.
    private func requests(of user: TestUser) -> [Request] {
        [
            ("private/records/modify", Bodies.note("n1", title: "bread", zone: "Notes", type: "forceUpdate")),
            (
                "private/records/modify",
                """
                {"zoneID":{"zoneName":"Notes"},"atomic":true,"operations":[
                {"operationType":"forceReplace","record":{"recordName":"n2","recordType":"Note",
                "fields":{"title":{"value":"milk"}}}},
                {"operationType":"forceDelete","record":{"recordName":"n3"}}]}
                """
            ),
            ("private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"n1"}]}"#),
            (
                "private/records/query",
                #"{"zoneID":{"zoneName":"Notes"},"query":{"recordType":"Note","sortBy":[{"fieldName":"title"}]}}"#
            ),
            ("private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#),
            ("private/changes/database", "{}"),
            ("private/zones/modify", Bodies.zone("create", "More")), ("private/zones/list", "{}"),
            ("public/records/modify", Bodies.note("p1", title: "public", type: "forceUpdate")),
            ("tokens/create", #"{"apnsEnvironment":"development"}"#),
        ]
        .map { Request(path: user.path($0.0), body: $0.1) } + [
            Request(
                path: "/cumulet/1/sign-in",
                body: #"{"emailAddress":"new@example.com","deviceID":"d","deviceName":"d"}"#),
            Request(
                path: "/cumulet/1/web-token",
                body: """
                    {"deviceSession":"\(user.deviceSession)","container":"\(user.container)",\
                    "environment":"development","ckAPIToken":"\(TestCloud.apiToken())"}
                    """),
        ]
    }

    private func sweep(
        _ kind: SQLError.Kind, _ moment: FaultyDatabase.Fault.Moment, _ database: FaultyDatabase, _ cloud: TestCloud
    ) async throws {
        let user = try await cloud.signIn("ann@example.com")
        _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
        _ = await user.post("private/records/modify", Bodies.note("n3", title: "old", zone: "Notes"))
        let client = AssetClient(user: user)
        try await client.keep([1], in: "a1")
        let (upload, download) = (try await client.uploadPath("a2"), try await client.downloadPath("a1"))
        let assets = [
            Request(path: upload, body: "the file"), Request(method: "GET", path: download, body: ""),
            Request(
                path: user.path("private/assets/rereference"),
                body: #"{"assets":[{"recordName":"a1","fieldName":"photo"}]}"#),
        ]
        for request in requests(of: user) + assets {
            for call in 1... {
                database.arm(.init(call: call, moment, kind))
                let answer = await cloud.request(request.method, request.path, json: request.body)
                let failed = database.failedStatement
                database.arm(nil)
                let place = "\(request), \(moment) call \(call), \(kind): \(failed ?? "untouched")\n\(answer)"
                if answer.status == 200 {
                    #expect(!answer.body.contains("serverErrorCode"), "\(place)")
                } else {
                    let reason = Bodies.string("reason", in: answer.body)
                    let isNamed = answer.isRefusal("TRY_AGAIN_LATER") || answer.isRefusal("INTERNAL_ERROR")
                    #expect(isNamed && reason?.isEmpty == false && failed != nil, "\(place)")
                    #expect(cloud.log.last?.detail?.contains("\(kind)") != false, "\(place)")
                }
                let again = await cloud.request(request.method, request.path, json: request.body)
                #expect(again.status == 200 && !again.body.contains("serverErrorCode"), "\(place)\nagain: \(again)")
                if failed == nil { break }
            }
        }
        #expect(try await cloud.problems() == [])
        // What failed uploads left goes in time.
        let collector = try cloud.collector()
        try await collector.collect()
        cloud.clock.advance(milliseconds: AssetCollector.strayAge)
        for _ in AssetFolder.shards { try await collector.collect() }
        let files = try cloud.assetFiles()
        #expect(files.whole.count == 2 && files.uploads == [], "\(files)")
        #expect(try await cloud.problems() == [])
    }

    @Test(arguments: [SQLError.Kind.ioError, .timeout, .corrupt], FaultyDatabase.Fault.Moment.allCases)
    func `is answered by name, and the next one as if nothing had been`(
        kind: SQLError.Kind, moment: FaultyDatabase.Fault.Moment
    ) async throws {
        let database = FaultyDatabase(SQLiteDatabase(path: nil))
        let setUp = CloudSetUp(way: .inProcess, storage: TestStorage("faulty") { TestDatabase(database) })
        try await setUp.withCloud { try await sweep(kind, moment, database, $0) }
    }

    @Test(.enabled(if: PostgresTestDatabase.address != nil), arguments: FaultyDatabase.Fault.Moment.allCases)
    func `is answered as if nothing had been when only a connection is lost, but for the commit`(
        moment: FaultyDatabase.Fault.Moment
    ) async throws {
        let test = try PostgresTestDatabase()
        let database = FaultyDatabase(test.database)
        let setUp = CloudSetUp(way: .inProcess, storage: TestStorage("faulty") { TestDatabase(database) })
        try await setUp.withCloud { try await sweep(.connectionLost, moment, database, $0) }
        #expect(try test.sessions(until: \.isEmpty) == [])
        try test.remove()
    }
}
