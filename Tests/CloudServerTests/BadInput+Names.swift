import CloudTestSupport
import HTTPCore

// What is wrong with the address, the credentials, the tokens and the names of a request.

extension BadInput {
    /// A request to a target that is made from Anna's credentials.
    static func request(
        _ what: String, status: Int, code: String?, reason: String, method: String = "POST",
        headers: HTTPHeaders = HTTPHeaders(),
        _ target: @escaping @Sendable (SocketCloud) -> String
    ) -> BadInput {
        BadInput(what: what, status: status, code: code, reason: reason) { cloud in
            HTTPRequest(
                method: method, target: target(cloud), headers: headers, body: Array(Bodies.note("n", title: "x").utf8))
        }
    }

    private static let here = "/database/1/\(TestCloud.container)/development"
    private static let modify = here + "/private/records/modify"

    static let requests: [BadInput] = [
        request("no path", status: 404, code: "NOT_FOUND", reason: "could not find handler for endpoint ''") { _ in "/"
        },
        request(
            "a version that does not exist", status: 404, code: "NOT_FOUND",
            reason: "could not find handler for endpoint 'database/2/c/"
        ) { _ in "/database/2/c/development/public/records/query" },
        request(
            "an operation that does not exist", status: 404, code: "NOT_FOUND",
            reason: "could not find handler for endpoint 'records/explode'"
        ) { SocketCloud.path("private/records/explode", of: $0.anna) },
        request(
            "an operation in the wrong database", status: 400, code: "BAD_REQUEST",
            reason: "endpoint not applicable in the database type 'publicdb'"
        ) { SocketCloud.path("public/zones/modify", of: $0.anna) },
        request(
            "a database that does not exist", status: 400, code: "BAD_REQUEST", reason: "unknown database type 'secret'"
        ) { SocketCloud.path("secret/records/modify", of: $0.anna) },
        request(
            "a call of ours that does not exist", status: 404, code: "NOT_FOUND",
            reason: "could not find handler for endpoint"
        ) { _ in "/cumulet/1/shut-down" },
        request(
            "a method that is not served", status: 405, code: "BAD_REQUEST",
            reason: "method not allowed; allowed: POST", method: "GET"
        ) { SocketCloud.path("private/records/modify", of: $0.anna) },
        request(
            "an environment that does not exist", status: 400, code: "BAD_REQUEST",
            reason: "unknown environment 'staging'"
        ) { "/database/1/\(TestCloud.container)/staging/private/records/modify?\($0.anna.query)" },
        request(
            "a container's name that cannot be", status: 400, code: "BAD_REQUEST",
            reason: "a container's name is 1 to 255 ASCII letters"
        ) { "/database/1/a%20b/development/private/records/modify?\($0.anna.query)" },
        request(
            "a client id too long", status: 400, code: "BAD_REQUEST", reason: "clientId has 256 characters"
        ) {
            SocketCloud.path("private/records/modify", of: $0.anna) + "&clientId=" + String(repeating: "c", count: 256)
        },
        request(
            "a header of 64 KiB", status: 431, code: nil, reason: "header",
            headers: ["X-Long": String(repeating: "x", count: 64 * 1024)]
        ) { SocketCloud.path("private/records/modify", of: $0.anna) },
        request("a target of 64 KiB", status: 414, code: nil, reason: "too big") {
            SocketCloud.path("private/records/modify", of: $0.anna) + "&x=" + String(repeating: "x", count: 64 * 1024)
        },
    ]

    static let credentials: [BadInput] = [
        request("no API token", status: 400, code: "BAD_REQUEST", reason: "ckAPIToken is missing") { _ in modify },
        request(
            "an API token of another form", status: 401, code: "AUTHENTICATION_FAILED",
            reason: "Authentication failed: ckAPIToken is not 64 hexadecimal digits"
        ) { "\(modify)?ckAPIToken=short&ckWebAuthToken=\(SocketCloud.escaped($0.anna.webToken))" },
        request(
            "an altered API token", status: 401, code: "AUTHENTICATION_FAILED",
            reason: "Authentication failed: ckAPIToken is not one of container '\(TestCloud.container)' in development"
        ) { "\(modify)?ckAPIToken=\(altered($0.anna.apiToken))" },
        request(
            "the API token of another container", status: 401, code: "AUTHENTICATION_FAILED",
            reason: "Authentication failed: ckAPIToken is not one of container '\(TestCloud.container)' in development"
        ) { "\(modify)?\($0.elsewhere.query)" },
        request(
            "a container that does not exist", status: 401, code: "AUTHENTICATION_FAILED",
            reason: "Authentication failed: ckAPIToken is not one of container 'iCloud.nowhere' in development"
        ) { SocketCloud.path("private/records/modify", of: $0.anna, container: "iCloud.nowhere") },
        request(
            "no web token", status: 421, code: "AUTHENTICATION_REQUIRED", reason: "request needs authorization"
        ) { "\(modify)?ckAPIToken=\($0.anna.apiToken)" },
        request(
            "a web token that is none", status: 401, code: "AUTHENTICATION_FAILED",
            reason: "Authentication failed: ckWebAuthToken was not made by this service or has been altered"
        ) { "\(modify)?ckAPIToken=\($0.anna.apiToken)&ckWebAuthToken=nonsense" },
        request(
            "an altered web token", status: 401, code: "AUTHENTICATION_FAILED",
            reason: "Authentication failed: ckWebAuthToken was not made by this service or has been altered"
        ) {
            let token = SocketCloud.escaped(altered($0.anna.webToken))
            return "\(modify)?ckAPIToken=\($0.anna.apiToken)&ckWebAuthToken=\(token)"
        },
        request(
            "the web token of another container", status: 401, code: "AUTHENTICATION_FAILED",
            reason: "Authentication failed: ckWebAuthToken is of another container or environment"
        ) {
            let token = SocketCloud.escaped($0.elsewhere.webToken)
            return "\(modify)?ckAPIToken=\($0.anna.apiToken)&ckWebAuthToken=\(token)"
        },
        request(
            "an administrative call without the secret", status: 403, code: "ACCESS_DENIED",
            reason: "the administrator's secret is needed"
        ) { _ in "/cumulet/1/admin/account-add" },
        request(
            "a push token that does not exist", status: 404, code: "NOT_FOUND", reason: "the push token is unknown",
            method: "GET"
        ) { _ in "/device/1/courier?tok=nonsense" },
    ]

    static let tokens: [BadInput] = [
        follow("somebody else's sync token", reason: "sync token expired: it belongs to") {
            try await syncToken(of: $0.bert, $0)
        },
        follow("an altered sync token", reason: "sync token expired: it was not made by this service") {
            altered(try await syncToken(of: $0.anna, $0))
        },
        follow("a continuation marker for a sync token", reason: "sync token expired: it was not made by this service")
        {
            try await marker(of: $0.anna, $0)
        },
        follow("a sync token that is none", reason: "sync token expired: it was not made by this service") { _ in "%" },
        page("somebody else's continuation marker", reason: "the continuation marker belongs to another query") {
            try await marker(of: $0.bert, $0)
        },
        page("an altered continuation marker", reason: "the continuation marker was not made by this service") {
            altered(try await marker(of: $0.anna, $0))
        },
        page("a sync token for a continuation marker", reason: "the continuation marker") {
            try await syncToken(of: $0.anna, $0)
        },
        page("a continuation marker that is none", reason: "the continuation marker was not made by this service") {
            _ in
            "%"
        },
    ]

    static let names: [BadInput] = [
        item(
            "a record name too long", save("", name: String(repeating: "n", count: 256)),
            reason: "record name has 256 characters; at most 255 are allowed"),
        item("a record name that is empty", save("", name: ""), reason: "record name must not be empty"),
        item(
            "a record name that is reserved", save("", name: "_mine"),
            reason: "record name '_mine' must not start with an underscore"),
        item(
            "a record name with a control character", save("", name: #"a\u0007b"#),
            reason: "record name contains the control character U+7"),
        item("a record type that is empty", save("", type: ""), reason: "record type must not be empty"),
        item(
            "a record type too long", save("", type: String(repeating: "T", count: 256)),
            reason: "record type has 256 bytes; at most 255 are allowed"),
        item(
            "a record type that is reserved", save("", type: "_T"),
            reason: "record type '_T' must start with an ASCII letter"),
        item("the users' record type", save("", type: "Users"), reason: "records of type 'Users' cannot be created"),
        item("a field name that is empty", save(#""":{"value":1}"#), reason: "field name must not be empty"),
        item(
            "a field name that is reserved", save(#""___createTime":{"value":1}"#),
            reason: "field name '___createTime' must start with an ASCII letter"),
        item(
            "a field name too long", save("\"\(String(repeating: "f", count: 256))\":{\"value\":1}"),
            reason: "field name has 256 bytes; at most 255 are allowed"),
        zone("a zone name too long", String(repeating: "z", count: 256), reason: "zone name has 256 characters"),
        body(
            "a zone name that is empty", Bodies.zone("create", ""),
            reason: "operations[0].zone.zoneID: zoneName must not be empty", to: "private/zones/modify"),
        zone("a zone name that is reserved", "_mine", reason: "zone name '_mine' must not start with an underscore"),
        item(
            "a subscription id too long",
            Bodies.subscription(String(repeating: "s", count: 256)),
            reason: "subscriptionID has 256 characters", in: "subscriptions", to: "private/subscriptions/modify"),
        body(
            "a zone that does not exist", Bodies.note("n", title: "x", zone: "Nowhere"), reason: "Zone 'Nowhere'",
            status: 404, code: "ZONE_NOT_FOUND"),
    ]

    private static func zone(_ what: String, _ name: String, reason: String) -> BadInput {
        item(what, Bodies.zone("create", name), reason: reason, in: "zones", to: "private/zones/modify")
    }

    /// A `changes/zone` with the token that `token` gives.
    private static func follow(
        _ what: String, reason: String, _ token: @escaping @Sendable (SocketCloud) async throws -> String
    ) -> BadInput {
        BadInput(what: what, status: 200, code: "BAD_REQUEST", reason: reason, item: "zones") { cloud in
            let json = #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(try await token(cloud))"}]}"#
            return HTTPRequest(
                method: "POST", target: SocketCloud.path("private/changes/zone", of: cloud.anna), body: Array(json.utf8)
            )
        }
    }

    /// A `records/query` with the marker that `marker` gives.
    private static func page(
        _ what: String, reason: String, _ marker: @escaping @Sendable (SocketCloud) async throws -> String
    ) -> BadInput {
        BadInput(what: what, status: 400, code: "BAD_REQUEST", reason: reason) { cloud in
            let json = """
                {"query":{"recordType":"Note"},"resultsLimit":1,"continuationMarker":"\(try await marker(cloud))"}
                """
            return HTTPRequest(
                method: "POST", target: SocketCloud.path("private/records/query", of: cloud.anna),
                body: Array(json.utf8))
        }
    }

    private static func syncToken(of member: SocketCloud.Member, _ cloud: SocketCloud) async throws -> String {
        try await text(
            "syncToken", "private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#, member, cloud)
    }

    private static func marker(of member: SocketCloud.Member, _ cloud: SocketCloud) async throws -> String {
        try await text(
            "continuationMarker", "private/records/query", #"{"query":{"recordType":"Note"},"resultsLimit":1}"#, member,
            cloud)
    }

    private static func text(
        _ name: String, _ operation: String, _ json: String, _ member: SocketCloud.Member, _ cloud: SocketCloud
    ) async throws -> String {
        let answer = await cloud.cloud.request("POST", SocketCloud.path(operation, of: member), json: json).body
        guard let text = Bodies.string(name, in: answer) else { throw SocketCloud.Unexpected(answer) }
        return text
    }

    /// A text of the same form with another tenth character.
    private static func altered(_ text: String) -> String {
        var characters = Array(text)
        characters[9] = characters[9] == "a" ? "b" : "a"
        return String(characters)
    }
}
