import CloudCore
import CloudStorage
import HTTPCore

/// The pages of a share's URL in a browser: `/share/GUID` tells what the share is and what to do, and
/// `/share/GUID/accept` signs somebody in and makes him a participant. Both work without script.
struct SharePage: Sendable {
    /// What a path asks for.
    struct Request: Hashable, Sendable {
        let shortGUID: String
        let isAcceptance: Bool
    }

    let store: CloudStore
    let configuration: ServiceConfiguration
    let guardian: SignInGuard

    /// The URL of a share.
    static func address(of guid: String, at serviceURL: String) -> String {
        "\(serviceURL)/share/\(RequestTarget.encode(guid))"
    }

    /// What a path below `/share` means; `nil` when it means nothing.
    static func request(_ path: ArraySlice<String>) -> Request? {
        guard let guid = path.first, !guid.isEmpty else { return nil }
        if path.count == 1 { return Request(shortGUID: guid, isAcceptance: false) }
        guard path.count == 2, path.last == "accept" else { return nil }
        return Request(shortGUID: guid, isAcceptance: true)
    }

    func respond(_ page: Request, to request: HTTPRequest, target: RequestTarget) async throws -> HTTPResponse {
        let link = ShareLink(shortGUID: page.shortGUID, invitationToken: target["invitation"])
        guard let share = try await store.read({ try $0.announceShare(link) }) else {
            return HTMLPage(title: "Nothing is shared here", status: 404).response(
                "<h1>Nothing is shared here</h1><p>The link is not complete, or the owner has stopped sharing.</p>")
        }
        guard page.isAcceptance else { return announcement(share, link) }
        guard request.method == "POST" else { return form(share, link, problem: nil, email: "") }
        return try await accept(share, link, RequestTarget.form(request.body))
    }

    // MARK: What is shared

    private func announcement(_ share: ShareAnnouncement, _ link: ShareLink) -> HTTPResponse {
        let address = "/share/\(RequestTarget.encode(link.shortGUID))/accept\(query(link))"
        return page(share).response(
            """
            \(head(share))<p>\(invitation(share, link))</p>
            <p><a href="\(HTMLPage.escape(address))">Sign in to take part</a></p>
            <p>If you take part already, open the app.</p>
            """)
    }

    private func invitation(_ share: ShareAnnouncement, _ link: ShareLink) -> String {
        if share.isPublic { return "Everybody who has this link may take part." }
        if link.invitationToken != nil {
            return "This link is for one person: the first who signs in with it takes part."
        }
        return "Sign in with the account that the invitation was sent to."
    }

    private func query(_ link: ShareLink) -> String {
        link.invitationToken.map { "?invitation=\(RequestTarget.encode($0))" } ?? ""
    }

    private func page(_ share: ShareAnnouncement, problem: CloudError? = nil) -> HTMLPage {
        HTMLPage(title: share.title ?? "Shared with you", problem: problem)
    }

    private func head(_ share: ShareAnnouncement) -> String {
        let owner = share.ownerName.map(HTMLPage.escape) ?? "Somebody"
        return """
            <h1>\(HTMLPage.escape(share.title ?? "Shared with you"))</h1>
            <p>\(owner) shares this in <strong>\(HTMLPage.escape(share.database.container.rawValue))</strong>.</p>
            """
    }

    // MARK: Taking part

    private func form(_ share: ShareAnnouncement, _ link: ShareLink, problem: CloudError?, email: String)
        -> HTTPResponse
    {
        let note = problem.map { "<p role=\"alert\">\(HTMLPage.escape($0.reason))</p>" } ?? ""
        let input = "<input type=\"password\" name=\"password\" autocomplete=\"current-password\" required>"
        let password = configuration.mode == .dev ? "" : "<label>Password \(input)</label>"
        return page(share, problem: problem).response(
            """
            \(head(share))\(note)
            <form method="post"><label>Email <input type="email" name="emailAddress" value="\(HTMLPage.escape(email))" \
            autocomplete="username" required></label>\(password)<button>Take part</button></form>
            """)
    }

    private func accept(
        _ share: ShareAnnouncement, _ link: ShareLink, _ fields: [(name: String, value: String)]
    ) async throws -> HTTPResponse {
        let email = fields.first { $0.name == "emailAddress" }?.value ?? ""
        do {
            let account = try await guardian.account(
                email: email, password: fields.first { $0.name == "password" }?.value)
            let database = DatabaseID(
                container: share.database.container, environment: share.database.environment, scope: .public,
                owner: DatabaseID.publicOwner)
            try await store.write(for: share.database) { transaction in
                let user = try transaction.userName(of: account.id, in: database.container)
                _ = try transaction.acceptShare(link, in: database, for: account.id, by: Writer(userName: user))
            }
        } catch let error as CloudError where error.code != .internalError && error.code != .tryAgainLater {
            return form(share, link, problem: error, email: email)
        }
        return page(share).response("\(head(share))<p>You take part now. Open the app to see it.</p>")
    }
}
