import CloudCore
import CloudStorage
import HTTPCore

/// The page behind `redirectURL`: signs a user in and hands the web token to the window that opened it, or to a
/// callback, of an origin that the API token allows and to nobody else.
struct SignInPage: Sendable {
    let store: CloudStore
    let configuration: ServiceConfiguration
    let authenticator: Authenticator
    let guardian: SignInGuard

    /// The refusal that leads to the page.
    /// - Parameter origin: Where the page comes from that wants the user, if it is a page.
    static func required(
        for route: DatabaseRoute, target: RequestTarget, origin: String?, serviceURL: String
    ) -> CloudError {
        let encode = RequestTarget.encode
        var url =
            "\(serviceURL)/cumulet/1/auth/sign-in?container=\(encode(route.container.rawValue))"
            + "&environment=\(route.environment.rawValue)&ckAPIToken=\(encode(target.token("ckAPIToken") ?? ""))"
        if let page = origin.flatMap(WebOrigin.init(of:)) { url += "&origin=\(encode(page.description))" }
        return CloudError(
            .authenticationRequired, "request needs authorization", nativeCode: 9, redirectURL: url)
    }

    func respond(to request: HTTPRequest, target: RequestTarget) async throws -> HTTPResponse {
        let container = ContainerID(target["container"] ?? "")
        try ContainerNames.check(container.rawValue)
        guard target["environment"] == CloudEnvironment.development.rawValue else {
            throw CloudError(.badRequest, "environment must be development", nativeCode: 12)
        }
        let listed = try await authenticator.authorize(
            target.token("ckAPIToken") ?? "", container: container, environment: .development)
        let callback = try target["callback"].map { try allowed($0, listed) }
        var openers = listed.filter(\.isWeb)
        if let origin = target["origin"].flatMap(WebOrigin.init(of:)), authenticator.allows(origin, listed),
            !openers.contains(origin)
        {
            openers.append(origin)
        }
        guard request.method == "POST" else { return page(container: container, problem: nil, email: "") }
        let form = RequestTarget.form(request.body)
        let email = form.first { $0.name == "emailAddress" }?.value ?? ""
        let token: String
        do {
            let account = try await guardian.account(
                email: email, password: form.first { $0.name == "password" }?.value)
            let lifetime = configuration.webSessionLifetime
            token = try await store.write { transaction in
                let session = try transaction.startWebSession(
                    account: account.id, container: container, environment: .development, deviceSession: nil,
                    lifetime: lifetime)
                return transaction.webAuthToken(for: session)
            }
        } catch let error as CloudError where error.code != .internalError && error.code != .tryAgainLater {
            return page(container: container, problem: error, email: email)
        }
        if let callback {
            let value = RequestTarget.encode(token)
            let separator = callback.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            let location = "\(callback)\(separator)ckWebAuthToken=\(value)&ckSession=\(value)"
            return HTTPResponse(status: 302, headers: ["Location": location, "Cache-Control": "no-store"])
        }
        return delivery(token, to: openers)
    }

    /// - Throws: `BAD_REQUEST` unless the address is of an origin that may be handed the token.
    private func allowed(_ callback: String, _ listed: [WebOrigin]) throws(CloudError) -> String {
        guard !callback.contains("#"), let origin = WebOrigin(of: callback), authenticator.allows(origin, listed) else {
            throw CloudError(
                .badRequest, "callback must be an address of an origin that ckAPIToken was made for", nativeCode: 12)
        }
        return callback
    }

    private func page(container: ContainerID, problem: CloudError?, email: String) -> HTTPResponse {
        let note = problem.map { "<p role=\"alert\">\(HTMLPage.escape($0.reason))</p>" } ?? ""
        let input = "<input type=\"password\" name=\"password\" autocomplete=\"current-password\" required>"
        let password = configuration.mode == .dev ? "" : "<label>Password \(input)</label>"
        let body = """
            <h1>Sign in</h1><p>to use <strong>\(HTMLPage.escape(container.rawValue))</strong></p>\(note)
            <form method="post"><label>Email <input type="email" name="emailAddress" value="\(HTMLPage.escape(email))" \
            autocomplete="username" autofocus required></label>\(password)<button>Sign in</button></form>
            """
        return html(body, problem: problem)
    }

    private func delivery(_ token: String, to openers: [WebOrigin]) -> HTTPResponse {
        // The token is base64 and an origin has no quotes: nothing in them ends a string or an element.
        let origins = openers.map { "\"\($0)\"" }.joined(separator: ", ")
        let script = """
            const token = "\(token)";
            if (window.opener) {
              for (const origin of [\(origins)]) {
                window.opener.postMessage({ckWebAuthToken: token, ckSession: token}, origin);
              }
              window.close();
            } else { document.getElementById("state").textContent = "Signed in, but no window waits for it."; }
            """
        guard openers.isEmpty else {
            return html("<p id=\"state\">Signed in. You may close this window.</p>", script: script)
        }
        return html("<p>Signed in, but this API token names no origin that may be told so.</p>")
    }

    private func html(_ body: String, problem: CloudError? = nil, script: String? = nil) -> HTTPResponse {
        HTMLPage(title: "Sign in", problem: problem, script: script, formLeadsElsewhere: true).response(body)
    }
}
