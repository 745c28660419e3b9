import CloudCrypto
import DatabaseTestSupport
import Foundation
import Glibc
import HTTPClient
import HTTPCore
import Testing

/// Takes a service of mode `serve`, over its sockets and beside it by commands, through everything that has a secret, with
/// right ones and wrong ones, and then looks for them in all that it said.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SecretsTests {
    private static let container = "iCloud.org.example.secrets"

    @Test(arguments: CrashPlace.available, ["json", "text"])
    func `no secret is anywhere but in the answer that is to bring it`(in place: CrashPlace, log: String) async throws {
        let folder = try TemporaryFolder()
        try await place.withData(in: folder) { data in
            let witness = Witness()
            let visit = Visit(witness, folder, data, place)
            let tokens = try await visit.prepare()
            let service = try CommandProcess(
                ["serve", "--port", "0", "--log", log] + data.words, environment: data.environment, folder: folder)
            visit.server = try await service.address()
            try await visit.commandsBesideTheService()
            let anna = try await visit.signIn("anna@example.com", tokens.api, Visit.password)
            let bert = try await visit.signIn("bert@example.com", tokens.api, Visit.password)
            try await visit.webTokens(anna, tokens.api)
            try await visit.pages(tokens.api, tokens.web)
            try await visit.serverKey()
            try await visit.pushTokens(anna)
            try await visit.assets(anna)
            try await visit.oneTimeLink(from: anna, to: bert)
            try await visit.strayPaths()
            _ = try await visit.ask("sign out", "POST", "/cumulet/1/sign-out", #"{"deviceSession":"\#(anna.session)"}"#)
            service.send(SIGTERM)
            #expect(await service.end() == 0)
            witness.saw("the log of the service", service.log)
            #expect(service.log.split(separator: "\n").count > 40)
            for leak in witness.leaks() { Issue.record("\(leak)") }
            #expect(witness.names.count >= 20, "\(witness.names.sorted())")
        }
    }
}

/// What must not be said, and what was.
private final class Witness {
    private var secrets: [(name: String, forms: [String])] = []
    private var seen: [(place: String, text: String, allowed: Set<String>)] = []

    var names: Set<String> { Set(secrets.map(\.name)) }

    /// - Parameter isWhole: Whether only all of the text counts, and of a long one not also its beginning and its end.
    /// - Returns: The text, which is a secret from here on.
    @discardableResult
    func secret(_ name: String, _ text: String, isWhole: Bool = false) -> String {
        precondition(text.utf8.count >= 8, "\(name) is too short to be found")
        secrets.append((name, Self.forms(of: text, isWhole: isWhole)))
        return text
    }

    func saw(_ place: String, _ text: String, allowing allowed: Set<String> = []) {
        seen.append((place, text, allowed))
    }

    /// What is where it does not belong, in words that do not repeat it.
    func leaks() -> [String] {
        var leaks: [String] = []
        for (name, forms) in secrets {
            for (place, said, allowed) in seen where !allowed.contains(name) {
                if forms.contains(where: said.contains) { leaks.append("the \(name) is in \(place): \(said)") }
            }
        }
        return leaks
    }

    /// How a secret may be written.
    private static func forms(of text: String, isWhole: Bool) -> [String] {
        var parts = [text]
        if text.utf8.count > 64, !isWhole { parts += [String(text.prefix(48)), String(text.suffix(48))] }
        return parts.flatMap { part in
            [
                part, part.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? part,
                part.replacing("/", with: "\\/"), part.replacing("+", with: " "), Data(part.utf8).base64EncodedString(),
            ]
        }
    }
}

/// A signed-in device.
private struct Member {
    let session: String
    let web: String
    let query: String
    let name: String
}

/// The steps of the test.
private final class Visit {
    static let password = "correct horse battery"
    private static let container = "iCloud.org.example.secrets"

    private let witness: Witness
    private let folder: TemporaryFolder
    private let data: CrashData
    private let place: CrashPlace
    var server = ""

    init(_ witness: Witness, _ folder: TemporaryFolder, _ data: CrashData, _ place: CrashPlace) {
        (self.witness, self.folder, self.data, self.place) = (witness, folder, data, place)
        witness.secret("password", Self.password)
    }

    // MARK: - What is asked

    @discardableResult
    func run(_ words: String..., password: String = Visit.password, store: [String]? = nil, allowing: Set<String> = [])
        async throws -> (code: Int32, output: String)
    {
        // Commands on a database open it themselves; they have no folder of assets.
        let place = store ?? (self.place == .folder ? data.words : Array(data.words.prefix(2)))
        let done = try await CommandProcess.run(
            words + place, environment: ["CUMULET_PASSWORD": password], folder: folder)
        witness.saw("the output of '\(words.prefix(2).joined(separator: " "))'", done.output, allowing: allowing)
        witness.saw("the errors of '\(words.prefix(2).joined(separator: " "))'", done.log)
        return (done.code, done.output.filter { $0 != "\n" })
    }

    func ask(
        _ what: String, _ method: String, _ path: String, _ body: String = "", headers: HTTPHeaders = [:],
        status: Int? = nil, allowing: Set<String> = []
    ) async throws -> HTTPResponse {
        let answer = try await CurlTransport().send(
            HTTPRequest(
                method: method, target: path.hasPrefix("http") ? path : server + path, headers: headers,
                body: Array(body.utf8)), timeout: .seconds(60))
        let told = answer.headers.entries.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        witness.saw("the answer to '\(what)'", "\(answer.status)\n\(told)\n\(answer.text)", allowing: allowing)
        if let status { #expect(answer.status == status, "\(what): \(answer.text)") }
        return answer
    }

    private func path(_ operation: String, _ query: String) -> String {
        let module = operation.hasPrefix("tokens/") ? "device" : "database"
        return "/\(module)/1/\(Self.container)/development/\(operation)?\(query)"
    }

    private func post(
        _ what: String, _ operation: String, _ member: Member, _ body: String, status: Int? = 200,
        allowing: Set<String> = []
    ) async throws -> HTTPResponse {
        try await ask(
            what, "POST", path(operation, member.query), body, status: status, allowing: allowing.union(["web token"]))
    }

    /// The first string member of that name, which is a secret from here on if it is given a name.
    private func value(_ key: String, in answer: HTTPResponse, secret name: String? = nil) throws -> String {
        let pieces = answer.text.split(separator: "\"\(key)\":\"", maxSplits: 1)
        let text = try #require(pieces.count == 2 ? pieces[1].prefix { $0 != "\"" } : nil, "\(answer.text)")
        let value = text.split(separator: "\\").joined()
        if let name { witness.secret(name, value) }
        return value
    }

    /// The same text with its middle altered.
    private func wrong(_ name: String, _ text: String) -> String {
        var letters = Array(text)
        let middle = letters.count / 2
        for place in middle..<min(middle + 4, letters.count) { letters[place] = letters[place] == "A" ? "B" : "A" }
        return witness.secret("wrong \(name)", String(letters), isWhole: true)
    }

    private func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }

    // MARK: - Steps

    func prepare() async throws -> (api: String, web: String) {
        if place == .postgres, let address = URLComponents(string: data.words[1]), let password = address.password {
            witness.secret("database password", password)
            var other = address
            other.password = witness.secret("wrong database password", "no-such-database-password")
            let store = ["--store", try #require(other.string)]
            #expect(try await run("container", "create", Self.container, store: store).code == 1)
            other.port = 1
            #expect(try await run("account", "list", store: ["--store", try #require(other.string)]).code == 1)
        }
        #expect(try await run("container", "create", Self.container).code == 0)
        for name in ["anna", "bert"] { #expect(try await run("account", "add", "\(name)@example.com").code == 0) }
        let api = try await run("token", "create", "--container", Self.container, allowing: ["API token"])
        witness.secret("API token", api.output)
        let web = try await run(
            "token", "create", "--container", Self.container, "--origin", "https://app.example.org",
            allowing: ["API token of a page"])
        witness.secret("API token of a page", web.output)
        return (api.output, web.output)
    }

    func commandsBesideTheService() async throws {
        if place == .folder {
            let file = try String(contentsOfFile: folder.path("data/admin.json"), encoding: .utf8)
            let secret = try #require(file.split(separator: #""secret":"#).last).filter { $0.isHexDigit }
            witness.secret("administrator's secret", String(secret))
            let other = wrong("administrator's secret", String(secret))
            for key in [other, ""] {
                _ = try await ask(
                    "a wrong administrator's call", "POST", "/cumulet/1/admin/account-list", "{}",
                    headers: ["X-Cumulet-Admin": key], status: 403)
            }
        }
        let pem = witness.secret("private key", Data(Crypto.random(48)).base64EncodedString())
        let file = folder.path("private.pem")
        try "-----BEGIN EC PRIVATE KEY-----\n\(pem)\n-----END EC PRIVATE KEY-----\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        #expect(try await run("key", "add", "--container", Self.container, "--name", "n", file).code == 1)
        for words in [["account", "list"], ["key", "list", "--container", Self.container]] {
            #expect(
                try await run(words[0], words[1], words.count > 2 ? "--container=\(Self.container)" : "--help").code
                    == 0)
        }
        #expect(try await run("account", "add", "anna@example.com").code == 1, "she is there")
        #expect(
            try await run("token", "revoke", wrong("API token to revoke", String(repeating: "c", count: 64))).code == 1)
    }

    func signIn(_ email: String, _ api: String, _ password: String) async throws -> Member {
        func body(_ password: String) -> String {
            #"{"emailAddress":"\#(email)","password":"\#(password)","deviceID":"d","deviceName":"d"}"#
        }
        let call = "/cumulet/1/sign-in"
        _ = try await ask("a wrong sign-in", "POST", call, body(wrong("password", password)), status: 401)
        _ = try await ask("a broken sign-in", "POST", call, String(body(password).dropLast(1)), status: 400)
        _ = try await ask(
            "a sign-in with a list", "POST", call, #"{"emailAddress":"\#(email)","password":["\#(password)"]}"#,
            status: 400)
        let device = try await ask("a sign-in", "POST", call, body(password), status: 200, allowing: ["device session"])
        let session = try value("deviceSession", in: device, secret: "device session")
        func grant(_ session: String, _ api: String) -> String {
            #"{"deviceSession":"\#(session)","container":"\#(Self.container)","environment":"development","#
                + #""ckAPIToken":"\#(api)"}"#
        }
        let token = "/cumulet/1/web-token"
        _ = try await ask("a wrong session", "POST", token, grant(wrong("device session", session), api), status: 401)
        _ = try await ask("a wrong API token", "POST", token, grant(session, wrong("API token", api)), status: 401)
        let granted = try await ask(
            "a web token", "POST", token, grant(session, api), status: 200, allowing: ["web token"])
        let web = try value("ckWebAuthToken", in: granted, secret: "web token")
        return Member(
            session: session, web: web, query: "ckAPIToken=\(api)&ckWebAuthToken=\(escaped(web))&clientId=d",
            name: try value("userRecordName", in: granted))
    }

    func webTokens(_ anna: Member, _ api: String) async throws {
        let operation = "private/zones/list"
        _ = try await post("zones", operation, anna, "{}")
        _ = try await ask("no web token", "POST", path(operation, "ckAPIToken=\(api)"), "{}", allowing: ["API token"])
        for (what, query) in [
            ("a wrong web token", "ckAPIToken=\(api)&ckWebAuthToken=\(escaped(wrong("web token", anna.web)))"),
            ("a wrong API token", "ckAPIToken=\(wrong("API token", api))&ckWebAuthToken=\(escaped(anna.web))"),
            ("swapped tokens", "ckAPIToken=\(escaped(anna.web))&ckWebAuthToken=\(api)"),
        ] {
            _ = try await ask(what, "POST", path(operation, query), "{}", status: 401)
        }
        for bad in ["private/no/such", "nowhere/zones/list"] {
            _ = try await ask("a wrong operation", "POST", path(bad, anna.query), "{}")
        }
        _ = try await post("a body that is none", operation, anna, #"{"zones":"#, status: 400)
        _ = try await ask("a wrong method", "PUT", path(operation, anna.query), "{}", status: 405)
        _ = try await ask(
            "the health page", "GET", "/cumulet/1/health?ckWebAuthToken=\(escaped(anna.web))", status: 200)
    }

    func pages(_ api: String, _ web: String) async throws {
        func page(_ token: String, _ more: String = "") -> String {
            "/cumulet/1/auth/sign-in?container=\(Self.container)&environment=development&ckAPIToken=\(token)\(more)"
        }
        func form(_ password: String) -> String { "emailAddress=anna%40example.com&password=\(escaped(password))" }
        _ = try await ask("the sign-in page", "GET", page(api), status: 200)
        _ = try await ask("the page with a wrong API token", "GET", page(wrong("API token", api)), status: 401)
        _ = try await ask(
            "a wrong sign-in on the page", "POST", page(api), form(wrong("password", Self.password)), status: 401)
        _ = try await ask("a sign-in that nobody waits for", "POST", page(api), form(Self.password), status: 200)
        let window = try await ask(
            "a sign-in for a window", "POST", page(web), form(Self.password), status: 200,
            allowing: ["page's web token"])
        let token = try #require(window.text.split(separator: "const token = \"").last?.prefix { $0 != "\"" })
        witness.secret("page's web token", String(token))
    }

    func serverKey() async throws {
        let key = P256PrivateKey()
        let text = Data(key.publicKey.der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        let file = folder.path("public.pem")
        try "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        let added = try await run("key", "add", "--container", Self.container, "--name", "import", file)
        #expect(added.code == 0)
        let target = "/database/1/\(Self.container)/development/public/users/caller"
        let now = ISO8601DateFormatter().string(from: Date())
        for (what, date, signer, status) in [
            ("a signed request", now, key, 200), ("a signature of another key", now, P256PrivateKey(), 401),
            ("a late signature", "2001-01-01T00:00:00Z", key, 401),
        ] {
            let message = "\(date):\(Base64.encode(Crypto.sha256(Array("{}".utf8)))):\(target)"
            let signature = witness.secret("signature", Base64.encode(signer.sign(Array(message.utf8))))
            _ = try await ask(
                what, "POST", target, "{}",
                headers: [
                    "X-Apple-CloudKit-Request-KeyID": added.output, "X-Apple-CloudKit-Request-ISO8601Date": date,
                    "X-Apple-CloudKit-Request-SignatureV1": signature,
                ], status: status)
        }
    }

    func pushTokens(_ anna: Member) async throws {
        let made = try await post(
            "a push token", "tokens/create", anna, #"{"apnsEnvironment":"development"}"#, allowing: ["push token"])
        let token = try value("apnsToken", in: made, secret: "push token")
        func register(_ token: String) -> String { #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"# }
        _ = try await post("a registration", "tokens/register", anna, register(token), allowing: ["push token"])
        let other = wrong("push token", token)
        _ = try await post("a wrong registration", "tokens/register", anna, register(other), status: nil)
        _ = try await ask("a wrong poll", "GET", "/device/1/courier?tok=\(escaped(other))", status: 404)
        _ = try await ask(
            "a poll that cannot be", "GET", "/device/1/courier?tok=\(escaped(token))&after=x", status: 400)
        _ = try await post(
            "a subscription", "private/subscriptions/modify", anna,
            #"{"operations":[{"operationType":"create","subscription":{"subscriptionType":"query","subscriptionID":"all","#
                + #""query":{"recordType":"Note"},"firesOn":["create"]}}]}"#)
        _ = try await ask(
            "a save by another client", "POST",
            path("private/records/modify", anna.query.replacing("clientId=d", with: "clientId=e")),
            #"{"operations":[{"operationType":"create","record":{"recordName":"n","recordType":"Note","fields":{}}}]}"#,
            status: 200, allowing: ["web token"])
        let push = try await ask("a poll", "GET", "/device/1/courier?tok=\(escaped(token))&after=0", status: 200)
        #expect(push.text.contains("\"all\""), "\(push.text)")
    }

    func assets(_ anna: Member) async throws {
        func tokens(_ record: String) -> String {
            #"{"tokens":[{"recordName":"\#(record)","recordType":"Photo","fieldName":"photo"}]}"#
        }
        func save(_ record: String, _ file: String) -> String {
            #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"\#(record)","recordType":"Photo","#
                + #""fields":{"photo":{"value":\#(file)}}}}]}"#
        }
        let urls = try await post(
            "an upload's URL", "private/assets/upload", anna, tokens("p"), allowing: ["upload URL"])
        let upload = try value("url", in: urls)
        let secret = witness.secret("upload URL", String(upload.split(separator: "/").last ?? ""))
        let bad = upload.replacing(secret, with: wrong("upload URL", secret))
        _ = try await ask("an upload to a wrong URL", "POST", bad, "photo", status: 403)
        _ = try await ask("a download from an upload's URL", "GET", upload, status: 405)
        let sent = try await ask("an upload", "POST", upload, "photo", status: 200, allowing: ["receipt"])
        let receipt = try value("receipt", in: sent, secret: "receipt")
        let file = String(sent.text.dropFirst(#"{"singleFile":"#.count).dropLast())
        let other = file.replacing(receipt, with: wrong("receipt", receipt))
        _ = try await post("a wrong receipt", "private/records/modify", anna, save("p", other))
        let saved = try await post(
            "a save", "private/records/modify", anna, save("p", file), allowing: ["download URL"])
        let download = try value("downloadURL", in: saved)
        let token = witness.secret("download URL", String(download.split(separator: "/").last ?? ""))
        _ = try await post("a spent receipt", "private/records/modify", anna, save("q", file))
        _ = try await ask("a download", "GET", download, status: 200)
        _ = try await ask(
            "a wrong download", "GET", download.replacing(token, with: wrong("download URL", token)), status: 403)
        _ = try await ask("an upload to a download's URL", "POST", download, "x", status: 405)
        let again = try await post(
            "a reference", "private/assets/rereference", anna, #"{"assets":[{"recordName":"p","fieldName":"photo"}]}"#,
            allowing: ["second receipt", "download URL"])
        _ = try value("receipt", in: again, secret: "second receipt")
        for (what, path) in [
            ("a path that goes on", "/asset/1/download/\(token)/x"), ("another version", "/asset/2/download/\(token)"),
            ("behind a proxy's path", "/cloud/asset/1/upload/\(secret)"), ("no such host", "/assets/\(secret)"),
        ] {
            _ = try await ask(what, "GET", path)
            _ = try await ask(what, "POST", path, "x")
        }
    }

    func oneTimeLink(from anna: Member, to bert: Member) async throws {
        let zone = #""zoneID":{"zoneName":"Notes"}"#
        _ = try await post(
            "a zone", "private/zones/modify", anna,
            #"{"operations":[{"operationType":"create","zone":{\#(zone)}}]}"#)
        let shared = try await post(
            "a one-time link", "private/records/modify", anna,
            #"{\#(zone),"operations":[{"operationType":"create","record":{"recordName":"cloudkit.zoneshare","#
                + #""recordType":"cloudkit.share","participants":[{"isOneTimeURLParticipant":true,"permission":"READ_WRITE"}]}}]}"#,
            allowing: ["invitation"])
        let token = try value("invitationToken", in: shared, secret: "invitation")
        let guid = try value("shortGUID", in: shared)
        let other = wrong("invitation", token)
        let page = "/share/\(guid)"
        _ = try await ask(
            "the share's page", "GET", "\(page)?invitation=\(escaped(token))", status: 200, allowing: ["invitation"])
        _ = try await ask(
            "the page with a wrong link", "GET", "\(page)?invitation=\(escaped(other))", allowing: ["wrong invitation"])
        _ = try await ask(
            "a wrong sign-in on the share's page", "POST", "\(page)/accept?invitation=\(escaped(token))",
            "emailAddress=bert%40example.com&password=\(escaped(wrong("password", Self.password)))", status: 401)
        func links(_ token: String) -> String {
            #"{"shortGUIDs":[{"value":"\#(guid)","invitationToken":"\#(token)"}]}"#
        }
        _ = try await post("a wrong link", "public/records/accept", bert, links(other), status: nil)
        _ = try await post(
            "what a link leads to", "public/records/resolve", bert, links(token), allowing: ["invitation"])
        _ = try await post("a link", "public/records/accept", bert, links(token), allowing: ["invitation"])
        _ = try await post(
            "the share later", "private/records/lookup", anna,
            #"{\#(zone),"records":[{"recordName":"cloudkit.zoneshare"}]}"#, allowing: ["invitation"])
        _ = try await ask("a path behind the page", "GET", "\(page)/x/y?invitation=\(escaped(token))")
    }

    /// Tokens in paths that have none: a client that builds its URLs wrongly, or a proxy that moves them.
    func strayPaths() async throws {
        let stray = witness.secret("stray token", Data(Crypto.random(48)).base64EncodedString().filter(\.isLetter))
        for path in [
            "/\(stray)", "/database/1/\(stray)", "/share/x/\(stray)",
            "/device/1/\(Self.container)/development/\(stray)",
        ] {
            _ = try await ask("a stray path", "GET", path)
        }
    }
}
