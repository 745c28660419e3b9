import Foundation
import HTTPClient
import HTTPCore

/// An app that runs and shows its windows at an address.
struct ShownApp {
    private let origin: String
    private let token: String

    /// - Parameter address: What the app printed when it started, with the token.
    /// - Throws: ``Failure`` for what is no such address.
    init(_ address: String) throws(Failure) {
        let parts = address.split(separator: "/?token=", omittingEmptySubsequences: false)
        let isOrigin = parts[0].wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]{1,5}/) != nil
        guard parts.count == 2, isOrigin, parts[1].wholeMatch(of: /[0-9a-f]+/) != nil else {
            throw Failure("'\(address)' is not an app's address: it is like http://127.0.0.1:PORT/?token=…")
        }
        origin = String(parts[0])
        token = String(parts[1])
    }

    /// Has the app's device open a link, as a tap on it elsewhere does.
    /// - Throws: ``Failure`` with the reason why the app was not told of it.
    func open(_ link: String) async throws(Failure) {
        let request = HTTPRequest(
            method: "POST", target: "\(origin)/open",
            headers: ["Authorization": "Bearer \(token)", "Content-Type": "text/uri-list"], body: Array(link.utf8))
        let answer: HTTPResponse
        do {
            answer = try await CurlTransport().send(request, timeout: .seconds(60))
        } catch {
            throw Failure("the app at \(origin) does not answer: \(error.description)")
        }
        guard answer.status == 204 else {
            let words = String(decoding: answer.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            throw Failure(words.isEmpty ? "the app answered with status \(answer.status)" : words)
        }
    }
}

/// `open`: a link on the device of an app that runs.
enum OpenCommand {
    static let open = CommandDefinition(
        "open", abstract: "Opens a link on the device of an app that runs, as a tap on it does.",
        discussion: """
            An app that is started prints `showing on ADDRESS`. A share's link hands the invitation to the delegate of the
            app's window. On a stage each device has a button for it.
            """,
        arguments: [ArgumentDefinition("LINK", help: "the address to open")],
        options: [.option("app", "ADDRESS", help: "where the app is shown, with the token")]
    ) { values in
        guard let address = values.option("app") else { throw UsageError("--app says which app is to open it") }
        try await ShownApp(address).open(values.argument("LINK"))
    }
}
