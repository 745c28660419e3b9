import CloudServer
import CloudTestSupport
import HTTPCore
import Testing

@Suite struct BadInputTests {
    private static let base = "/database/1/\(TestCloud.container)/development"

    @Test func `a path that means nothing is not found`() async throws {
        let cloud = try TestCloud()
        for path in [
            "/", "/database", "/database/2/c/development/public/records/query", "\(Self.base)/public/records/x",
        ] {
            let answer = await cloud.request("POST", path)
            #expect(answer.status == 404 && answer.body.contains("could not find handler for endpoint"), "\(path)")
        }
        await cloud.close()
    }

    @Test func `an operation in the wrong database is refused with its name`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let answer = await user.post("public/zones/modify")
        #expect(answer.status == 400)
        #expect(answer.body.contains("endpoint not applicable in the database type 'publicdb'"))
        let absent = await user.post("private/assets/upload")
        #expect(absent.status == 400 && absent.body.contains("assets/upload"))
        await cloud.close()
    }

    @Test func `a wrong method is refused and OPTIONS answered`() async throws {
        let cloud = try TestCloud()
        let wrong = await cloud.send("GET", "\(Self.base)/public/records/query")
        #expect(wrong.status == 405 && wrong.headers["Allow"]?.contains("POST") == true)
        let options = await cloud.send("OPTIONS", "\(Self.base)/public/records/query")
        #expect(options.status == 200 && options.headers["Allow"] == "GET, POST, PUT, DELETE")
        #expect(options.headers["Access-Control-Allow-Origin"] == "*")
        #expect(options.headers["Access-Control-Max-Age"] == "86400")
        await cloud.close()
    }

    @Test func `an environment that is not there is refused by name`() async throws {
        let cloud = try TestCloud()
        for environment in ["production", "staging"] {
            let answer = await cloud.request("POST", "/database/1/c/\(environment)/public/records/query")
            #expect(answer.status == 400 && answer.body.contains(environment))
        }
        await cloud.close()
    }

    @Test func `bad credentials are refused`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let api = "ckAPIToken=\(TestCloud.apiToken())"
        let path = "\(Self.base)/private/zones/list?"
        #expect(await cloud.request("POST", path).status == 400)
        #expect(await cloud.request("POST", path + "ckAPIToken=short").status == 401)
        #expect(await cloud.request("POST", path + api + "&ckWebAuthToken=nonsense").status == 401)
        let altered = String(user.webToken.dropFirst(4))
        #expect(await cloud.request("POST", path + api + "&ckWebAuthToken=AQAA\(altered)").status == 401)
        await cloud.close()
    }

    @Test(arguments: [
        "not json", "[]", "\"x\"", "{\"operations\":5}", "{\"operations\":[5]}", "{\"operations\":[{}]}",
        "{\"operations\":[{\"operationType\":\"explode\",\"record\":{\"recordName\":\"n\"}}]}",
        Bodies.note("n", title: "x").replacing("\"x\"", with: "9223372036854775808"),
        Bodies.note("n", title: "x").replacing("\"x\"", with: "NaN"),
        String(repeating: "[", count: 100_000),
        #"{"operations":[{"operationType":"create","record":{"recordName":"n","recordType":"Note"}},{"operationType":"create","record":{"recordName":"n","recordType":"Note"}}]}"#,
        #"{"atomic":true,"operations":[]}"#,
    ])
    func `a body that is no request is refused whole`(json: String) async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let answer = await user.post("private/records/modify", json)
        #expect(answer.status == 400 && answer.body.contains("BAD_REQUEST"), "\(answer.body)")
        #expect(answer.body.contains(#""uuid""#) && answer.body.contains(#""reason""#))
        #expect(await user.post("private/zones/list").status == 200)
        await cloud.close()
    }

    @Test func `a body of broken UTF-8 or above the limit is refused`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let path = user.path("private/records/modify")
        let broken = await cloud.send("POST", path, body: Array("{\"a\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8))
        #expect(broken.status == 400)
        let large = await cloud.send("POST", path, body: [UInt8](repeating: 32, count: 17 * 1_048_576))
        #expect(large.status == 400 && large.body.count < 1000)
        await cloud.close()
    }

    @Test func `names, sizes and counts beyond the rules are refused`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        for name in [String(repeating: "n", count: 256), "", "_mine", "a\\u0007b"] {
            let answer = await user.post("private/records/modify", Bodies.note(name, title: "x"))
            #expect(answer.body.contains("BAD_REQUEST"), "\(name): \(answer.body)")
        }
        let big = await user.post(
            "private/records/modify", Bodies.note("big", title: String(repeating: "x", count: 1_048_577)))
        #expect(big.body.contains("serverErrorCode") && big.body.utf8.count < 2000)
        let operation = #"{"operationType":"forceDelete","record":{"recordName":"n"#
        let many = (0...400).map { "\(operation)\($0)\"}}" }.joined(separator: ",")
        let answer = await user.post("private/records/modify", "{\"operations\":[\(many)]}")
        #expect(answer.status == 400 && answer.body.contains("400"))
        let unknown = await user.post(
            "private/records/modify", Bodies.note("n1", title: "x", zone: "Nowhere"))
        #expect(unknown.status == 404 && unknown.body.contains("ZONE_NOT_FOUND"))
        await cloud.close()
    }

    @Test func `foreign and altered tokens of the feed and of queries are refused`() async throws {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org")
        let bert = try await cloud.signIn("bert@example.org")
        for user in [anna, bert] {
            _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
            for name in ["n1", "n2"] {
                _ = await user.post("private/records/modify", Bodies.note(name, title: "x", zone: "Notes"))
                _ = await user.post("private/records/modify", Bodies.note(name, title: "x"))
            }
        }
        let zone = #"{"zoneID":{"zoneName":"Notes"}"#
        let changes = await anna.post("private/changes/zone", "{\"zones\":[\(zone)}]}")
        let token = try #require(Bodies.string("syncToken", in: changes.body))
        let page = await anna.post("private/records/query", #"{"query":{"recordType":"Note"},"resultsLimit":1}"#)
        let marker = try #require(Bodies.string("continuationMarker", in: page.body), "\(page.body)")
        let altered = (token.first == "B" ? "C" : "B") + token.dropFirst()
        for (user, token) in [(bert, token), (anna, altered), (anna, "nonsense"), (anna, marker)] {
            let answer = await user.post("private/changes/zone", "{\"zones\":[\(zone),\"syncToken\":\"\(token)\"}]}")
            #expect(answer.body.contains("BAD_REQUEST") && !answer.body.contains("recordChangeTag"), "\(answer.body)")
        }
        let alteredMarker = (marker.first == "B" ? "C" : "B") + marker.dropFirst()
        for (user, marker) in [(bert, marker), (anna, alteredMarker), (anna, "nonsense"), (anna, token)] {
            let answer = await user.post(
                "private/records/query",
                #"{"query":{"recordType":"Note"},"resultsLimit":1,"continuationMarker":"\#(marker)"}"#)
            #expect(answer.status == 400, "\(answer.body)")
        }
        await cloud.close()
    }

    @Test func `the log has one entry a request and no secret`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/records/modify", "not json")
        let entry = try #require(cloud.log.last)
        #expect(cloud.log.count == 3)
        #expect(entry.caller == user.name && entry.operation == "private/records/modify" && entry.status == 400)
        #expect(entry.reason?.hasPrefix("BAD_REQUEST: ") == true)
        #expect(!cloud.log.contains { "\($0)".contains(user.webToken) || "\($0)".contains(user.deviceSession) })
        await cloud.close()
    }
}
