import CloudClient
import CloudCore
import CloudCrypto
import CloudServer
import CloudStorage
import Glibc
import HTTPServer

/// `dev` and `serve`: run the service until it is asked to stop.
enum ServiceCommands {
    static let dev = CommandDefinition(
        "dev",
        abstract:
            "Runs the service for a desk or CI: containers, accounts and schema appear when they are used.",
        discussion: """
            Prints `listening on http://HOST:PORT` once it accepts requests. Sign-in needs no password, so keep it on
            loopback.
            """,
        options: [
            .option("host", "HOST", help: "the address to listen on (default: 127.0.0.1)"),
            .option("port", "PORT", help: "the port to listen on, 0 for a free one (default: 8787)"),
            .option("data", "DIR", help: "the folder to keep data in"),
            .option("store", "URL", help: "a PostgreSQL database to keep data in; see serve"), StorePlace.assets,
            .flag("memory", help: "keep data in memory (the default)"), LimitCommands.option, log,
        ]
    ) { values in
        try await run(values, mode: .dev, place: try StorePlace.named(by: values) ?? .memory)
    }

    static let serve = CommandDefinition(
        "serve", abstract: "Runs the service for people: nothing appears on its own.",
        discussion: """
            Prints `listening on http://HOST:PORT` once it accepts requests. `account add`, `container create` and
            `token create` with the same --data or --store make what it needs, also while it runs. Several processes may
            serve one --store.
            """,
        options: [
            .option("host", "HOST", help: "the address to listen on (default: 127.0.0.1)"),
            .option("port", "PORT", help: "the port to listen on, 0 for a free one (default: 8787)"),
            .option("data", "DIR", help: "the folder that keeps data, tokens and keys"), StorePlace.store,
            StorePlace.assets,
            .option(
                "url", "URL", help: "where clients reach the service through a proxy (default: each request's Host)"),
            .flag(
                "allow-unhashed-bodies",
                help: "takes signed requests whose signature leaves the body out: some clients send large ones so"),
            .flag(
                "strict-web-tokens",
                help: "each answer's web token replaces the one used: for clients that send one request at a time"),
            LimitCommands.option, log,
        ]
    ) { values in
        try await run(values, mode: .serve, place: try StorePlace.ofService(values))
    }

    private static let log = OptionDefinition.option(
        "log", "FORMAT",
        help: "the form of the request log on standard error: text (the default) or json",
        choices: RequestLog.Format.allCases.map(\.rawValue))

    private static func run(
        _ values: ArgumentValues, mode: ServiceConfiguration.Mode, place: StorePlace
    ) async throws {
        let assetFolder = try place.assetFolder(values)
        let host = values.option("host") ?? "127.0.0.1"
        let port = try values.number("port", in: 0...65535) ?? 8787
        let address = try values.option("url").map(publicAddress)
        let format = values.option("log").flatMap(RequestLog.Format.init(rawValue:)) ?? .text
        let limits = try LimitCommands.limits(values)
        let signals = StopSignals.install()
        if let assetFolder { try OwnFolder.prepareAssets(assetFolder) }
        let store = try ServiceStore.open(place, policy: mode == .dev ? .dev : .strict, limits: limits)
        // After the store: a folder's lock keeps other processes from its assets too.
        let assets = AssetHome(try assetFolder.map { try AssetFolder($0) })
        defer { assets.close() }
        do {
            // Commands reach a folder through the process that has it; a database they open themselves.
            let adminKey: String? = if case .folder(let path) = place { DataPath.adminKey(in: path) } else { nil }
            let secret = adminKey.map { _ in Hex.encode(Crypto.random(32)) }
            var configuration = ServiceConfiguration(
                mode: mode, publicAddress: address, adminSecret: secret, log: RequestLog.writer(format))
            configuration.strictWebTokens = values.flag("strict-web-tokens")
            configuration.allowsUnhashedBodies = values.flag("allow-unhashed-bodies")
            configuration.collectsAssetsEvery = .seconds(60)
            let service = CloudService(store: store, configuration: configuration, assets: assets)
            var listening = HTTPServerConfiguration()
            listening.host = host
            listening.port = UInt16(port)
            listening.maximumBodyBytes = limits.requestBytes
            listening.errorBody = CloudService.transportFailure
            let server = HTTPServer(configuration: listening, responder: service)
            let boundPort = try server.start()
            if let adminKey, let secret {
                let url = "http://\(bracketed(reachable(host))):\(boundPort)"
                try AdminKey(url: url, secret: secret).write(to: adminKey)
            }
            Terminal.print("listening on http://\(bracketed(host)):\(boundPort)")
            await signals.wait()
            await service.drain()
            await server.stop()
            if let adminKey { unlink(adminKey) }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private static func publicAddress(_ text: String) throws(UsageError) -> PublicAddress {
        guard let address = PublicAddress(text) else {
            throw UsageError(
                "'\(text)' is not a value for --url: it is like https://cloud.example.org or https://example.org/cloud")
        }
        return address
    }

    private static func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }

    /// Where this machine reaches a service that listens on all addresses.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}
