import Foundation
import HTTPClient
import HTTPCore
import Testing

/// A signed-in device that speaks the protocol's JSON, as somebody else's client would.
struct ServiceDevice: Sendable {
    let server: String
    let session: String
    private let container: String
    private let query: String

    static let password = "correct horse"

    /// Signs in with ``password``.
    init(
        _ name: String, of account: String, at server: String, container: String, apiToken: String
    ) async throws {
        self.server = server
        self.container = container
        let signIn = try await Self.post(
            server + "/cumulet/1/sign-in",
            #"{"emailAddress":"\#(account)","password":"\#(Self.password)","deviceID":"\#(name)","deviceName":"d"}"#)
        session = try Self.value("deviceSession", in: signIn)
        let grant = try await Self.post(
            server + "/cumulet/1/web-token",
            #"{"deviceSession":"\#(session)","container":"\#(container)","environment":"development"}"#)
        let token = try Self.value("ckWebAuthToken", in: grant)
        let safe = try #require(token.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        query = "?ckAPIToken=\(apiToken)&ckWebAuthToken=\(safe)&clientId=\(name)"
    }

    private init(_ other: ServiceDevice, at server: String) {
        self.server = server
        session = other.session
        container = other.container
        query = other.query
    }

    /// The same device, whose requests go to another process.
    func at(_ server: String) -> ServiceDevice { ServiceDevice(self, at: server) }

    /// - Parameter operation: Database and operation, for example `private/records/query`.
    func post(_ operation: String, _ json: String = "{}") async throws -> HTTPResponse {
        let module = operation.hasPrefix("tokens/") ? "device" : "database"
        return try await Self.post("\(server)/\(module)/1/\(container)/development/\(operation)\(query)", json)
    }

    func save(_ name: String, type: String = "Note", _ fields: String = #"{"title":{"value":"milk"}}"#) async throws
        -> HTTPResponse
    {
        try await post(
            "private/records/modify",
            #"{"operations":[{"operationType":"create","record":{"recordType":"\#(type)","recordName":"\#(name)","#
                + #""fields":\#(fields)}}]}"#)
    }

    /// Subscribes to every note and registers a push token.
    /// - Returns: The token, escaped for a URL.
    func listen() async throws -> String {
        let subscribed = try await post(
            "private/subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":{"subscriptionType":"query","#
                + #""subscriptionID":"all","query":{"recordType":"Note"},"firesOn":["create"]}}]}"#)
        #expect(subscribed.status == 200 && !subscribed.text.contains("serverErrorCode"), "\(subscribed.text)")
        let created = try await post("tokens/create", #"{"apnsEnvironment":"development"}"#)
        let token = try Self.value("apnsToken", in: created)
        let bound = try await post(
            "tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
        #expect(bound.status == 200, "\(bound.text)")
        return try #require(token.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    /// A long poll of a push token for what comes after a number.
    func poll(_ token: String, after: Int) async throws -> HTTPResponse {
        try await CurlTransport().send(
            HTTPRequest(
                method: "GET", target: "\(server)/device/1/courier?tok=\(token)&after=\(after)&listener=test"),
            timeout: .seconds(90))
    }

    func signOut() async throws -> HTTPResponse {
        try await Self.post(server + "/cumulet/1/sign-out", #"{"deviceSession":"\#(session)"}"#)
    }

    private static func post(_ url: String, _ json: String) async throws -> HTTPResponse {
        try await CurlTransport().send(
            HTTPRequest(method: "POST", target: url, body: Array(json.utf8)), timeout: .seconds(30))
    }

    private static func value(_ key: String, in response: HTTPResponse) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        return try #require(object?[key] as? String, "\(response.text)")
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
