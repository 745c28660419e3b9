import CloudClient
import CloudCore
import CloudCrypto
import Foundation
import HTTPCore
import HTTPServer
import ViewServer

/// An app on several devices, and the page that shows them.
actor Stage {
    /// A device and the process that plays it.
    private final class Device {
        let plan: StagePlan.Device
        let folder: URL
        var process: StageProcess?
        /// Where it is shown: the same each time it is started, so that the page's frame finds it again.
        var address: String?
        let token = Hex.encode(Crypto.random(16))
        var isOffline = false
        /// Why it could not be started.
        var problem: String?

        init(_ plan: StagePlan.Device, folder: URL) {
            self.plan = plan
            self.folder = folder
        }
    }

    /// What the page shows of a device.
    struct Status: Codable, Equatable {
        let name: String
        let account: String
        let isWide: Bool
        let address: String?
        let isOffline: Bool
        let isRunning: Bool
        let problem: String?
    }

    private let app: URL
    private let server: String
    private let preparation: URL?
    private let folder: StageFolder
    private let devices: [Device]
    private var http: HTTPServer?
    private var origin = ""

    /// - Parameter preparation: An executable that is run once the devices are signed in; the environment's `CUMULET_DEVICES` is
    ///   the folder that has a folder of each device's name.
    init(app: URL, plan: StagePlan, server: String, folder: StageFolder, preparation: URL? = nil) {
        self.app = app
        self.server = server
        self.folder = folder
        self.preparation = preparation
        devices = plan.devices.map { Device($0, folder: folder.device($0.name)) }
    }

    /// Signs the devices in, prepares them, starts the app on each, and listens.
    /// - Returns: The address of the page, with its token.
    func start(port: UInt16) async throws -> String {
        let token = Hex.encode(Crypto.random(16))
        let access = AccessRules(token: token, stageOrigin: nil)
        var listening = HTTPServerConfiguration()
        listening.host = "127.0.0.1"
        listening.port = port
        let http = HTTPServer(configuration: listening, responder: StageResponder(stage: self, access: access))
        let bound = try http.start()
        self.http = http
        access.listen(on: bound)
        origin = "http://127.0.0.1:\(bound)"
        for device in devices { try await signIn(device) }
        try await prepare()
        for device in devices { try await run(device) }
        return "\(origin)/?token=\(token)"
    }

    func stop() async {
        for device in devices { await device.process?.stop() }
        await http?.stop(within: 2)
    }

    var summary: [String] {
        devices.map { "  \($0.plan.name): \($0.plan.account), \($0.address ?? $0.problem ?? "not running")" }
    }

    var status: [Status] {
        devices.map { device in
            Status(
                name: device.plan.name, account: device.plan.account, isWide: device.plan.isWide,
                address: device.address, isOffline: device.isOffline, isRunning: device.process?.isRunning ?? false,
                problem: device.problem)
        }
    }

    private func signIn(_ device: Device) async throws {
        try FileManager.default.createDirectory(at: device.folder, withIntermediateDirectories: true)
        let store = DeviceStore(folder: device.folder)
        if let problem = store.problem { throw Failure(problem.description) }
        if store.settings.emailAddress == device.plan.account, store.settings.server == server,
            store.settings.isSignedIn
        {
            return
        }
        try await DeviceCommands.signIn(device.plan.account, at: server, in: store)
    }

    /// Runs what is to be done on the devices before the app is there, to its end.
    private func prepare() async throws {
        guard let preparation else { return }
        let process = StageProcess(preparation, environment: ["CUMULET_DEVICES": folder.path.path])
        do {
            _ = try await process.run()
        } catch {
            throw Failure("the devices could not be prepared: \(error)")
        }
    }

    private func run(_ device: Device) async throws {
        let port = device.address.flatMap { URL(string: $0)?.port } ?? 0
        let process = StageProcess(
            app,
            environment: [
                "CUMULET_DEVICE": device.folder.path, "CUMULET_PORT": String(port), "CUMULET_STAGE": origin,
                "CUMULET_VIEW_TOKEN": device.token,
            ])
        device.process = process
        device.isOffline = false
        device.problem = nil
        do {
            device.address = try await process.start(awaiting: "showing on ")
        } catch {
            device.problem = String(describing: error)
            throw error
        }
    }

    // MARK: - What the page asks for

    private func device(_ name: String) throws(StageRefusal) -> Device {
        guard let device = devices.first(where: { $0.plan.name == name }) else {
            throw StageRefusal(reason: "there is no device '\(name)'")
        }
        return device
    }

    func setOffline(_ isOffline: Bool, _ name: String) throws {
        let device = try device(name)
        device.process?.say(isOffline ? "offline" : "online")
        device.isOffline = isOffline
    }

    /// Ends the app on a device and starts it anew.
    func restart(_ name: String) async throws {
        let device = try device(name)
        await device.process?.stop()
        try await run(device)
    }

    func log(of name: String) throws -> String { try device(name).process?.log ?? "" }
}

/// What the page asked for and cannot have.
struct StageRefusal: Error {
    let reason: String
}
