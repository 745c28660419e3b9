import CloudClient
import CloudCore
import Glibc
import HTTPClient
import HTTPCore

/// `login`, `logout`, `whoami`: fill, empty and show the device in `$CUMULET_DEVICE`.
enum DeviceCommands {
    static let login = CommandDefinition(
        "login", abstract: "Signs this device in to an account.",
        discussion: """
            The device is the folder $CUMULET_DEVICE, by default cumulet in the configuration folder of the user.
            A service of `cumulet dev` makes the account and asks for no password; else the password comes from
            CUMULET_PASSWORD or is asked for.
            """,
        arguments: [ArgumentDefinition("EMAIL", help: "the account")],
        options: [.option("server", "URL", help: "the service (default: $CUMULET_SERVER or \(ServiceAddress.default))")]
    ) { values in
        let store = DeviceStore(folder: DeviceStore.defaultFolder())
        let server = try address(values.option("server"))
        if let problem = store.problem { throw Failure(problem.description) }
        let account = try await signIn(values.argument("EMAIL"), at: server, in: store)
        Terminal.print("signed in as \(account) at \(server)")
    }

    /// Signs the device of `store` in, and ends the session it had.
    /// - Returns: The account's name.
    @discardableResult
    static func signIn(_ email: String, at server: String, in store: DeviceStore) async throws -> String {
        let before = store.settings
        let answer = try await signIn(email, at: server, deviceID: before.deviceID)
        try store.update { settings in
            settings.server = server
            settings.emailAddress = answer.accountName
            settings.deviceSession = answer.deviceSession
        }
        // Only now: a refused sign-in leaves the device as it was.
        if let session = before.deviceSession {
            do {
                try await CumuletCalls.signOut(
                    server: before.server ?? server, deviceSession: session, transport: Transport.make())
            } catch {
                Terminal.note("the session before was not ended at its service: \(error)")
            }
        }
        return answer.accountName
    }

    static let logout = CommandDefinition("logout", abstract: "Signs this device out.") { _ in
        let store = DeviceStore(folder: DeviceStore.defaultFolder())
        if let problem = store.problem { throw Failure(problem.description) }
        let settings = store.settings
        guard let session = settings.deviceSession else { throw Failure("nobody is signed in on this device") }
        var unreached: String?
        do {
            try await CumuletCalls.signOut(
                server: settings.server ?? address(nil), deviceSession: session, transport: Transport.make())
        } catch let error as HTTPTransportError {
            unreached = error.description
        } catch let error as CloudError where error.code == .authenticationFailed || error.code == .notFound {
            // The service has ended the session already.
        }
        try store.update { settings in
            settings.deviceSession = nil
            settings.emailAddress = nil
        }
        Terminal.print("signed out")
        if let unreached { Terminal.note("the service was not told, its session goes on: \(unreached)") }
    }

    static let whoami = CommandDefinition("whoami", abstract: "Shows who is signed in on this device.") { _ in
        let store = DeviceStore(folder: DeviceStore.defaultFolder())
        if let problem = store.problem { throw Failure(problem.description) }
        let settings = store.settings
        guard settings.isSignedIn else { throw Failure("nobody is signed in on this device") }
        Terminal.print("\(settings.emailAddress ?? "?") at \(settings.server ?? ServiceAddress.default)")
    }

    /// Tries without a password first, as `cumulet dev` wants none, unless `CUMULET_PASSWORD` is set.
    private static func signIn(
        _ email: String, at server: String, deviceID: String
    ) async throws -> (deviceSession: String, accountName: String) {
        func attempt(_ password: String?) async throws -> (deviceSession: String, accountName: String) {
            try await CumuletCalls.signIn(
                server: server, emailAddress: email, password: password, deviceID: deviceID, deviceName: hostName(),
                transport: Transport.make())
        }
        let given = Terminal.variable("CUMULET_PASSWORD")
        do {
            return try await attempt(given)
        } catch let error as CloudError
            where given == nil && (error.code == .authenticationFailed || error.code == .authenticationRequired)
        {
            return try await attempt(try Terminal.password(for: email))
        }
    }

    private static func address(_ given: String?) throws -> String {
        var server = given ?? Terminal.variable("CUMULET_SERVER") ?? ServiceAddress.default
        while server.last == "/" { server.removeLast() }
        guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
            throw UsageError("'\(server)' is not a service address: it starts with http:// or https://")
        }
        return server
    }

    private static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
