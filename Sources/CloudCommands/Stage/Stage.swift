import CloudClient
import CloudCore
import CloudCrypto
import Foundation
import Glibc
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
        var isStarting = false
        /// What its processes have said, also those before a restart.
        let log = StageLog()

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
        let isStarting: Bool
        let problem: String?
    }

    private let app: URL
    private let server: String
    private let preparation: URL?
    private let folder: StageFolder
    private let devices: [Device]
    private var http: HTTPServer?
    private var origin = ""
    private var preparing: StageProcess?
    private(set) var isStopped = false

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
    /// - Throws: ``Failure``, also where the stage is stopped meanwhile.
    func start(port: UInt16) async throws -> String {
        let token = Hex.encode(Crypto.random(16))
        let access = AccessRules(token: token, stageOrigin: nil)
        let http = HTTPServer(
            configuration: Self.listening(on: port), responder: StageResponder(stage: self, access: access))
        let bound = try Self.start(http, on: port)
        self.http = http
        access.listen(on: bound)
        origin = "http://127.0.0.1:\(bound)"
        for device in devices { try await signIn(device) }
        try await prepare()
        for device in devices { try await run(device) }
        return "\(origin)/?token=\(token)"
    }

    private static func listening(on port: UInt16) -> HTTPServerConfiguration {
        var listening = HTTPServerConfiguration()
        listening.host = "127.0.0.1"
        listening.port = port
        return listening
    }

    private static func start(_ http: HTTPServer, on port: UInt16) throws -> UInt16 {
        do {
            return try http.start()
        } catch {
            guard error.isTaken else { throw error }
            throw Failure(
                "port \(port) is taken, perhaps by a stage that runs already: end that one, or name another port with "
                    + "--port (0 takes a free one)")
        }
    }

    func stop() async {
        isStopped = true
        await preparing?.stop()
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
                isStarting: device.isStarting, problem: device.problem)
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
        try refuseWhenStopped()
        let process = StageProcess(preparation, environment: ["CUMULET_DEVICES": folder.path.path])
        preparing = process
        do {
            _ = try await process.run()
        } catch {
            throw Failure("the devices could not be prepared: \(error)")
        }
        preparing = nil
    }

    private func refuseWhenStopped() throws {
        if isStopped { throw Failure("the stage was stopped") }
    }

    private func run(_ device: Device) async throws {
        guard !device.isStarting else { throw StageRefusal("'\(device.plan.name)' is being started already", 409) }
        device.isStarting = true
        defer { device.isStarting = false }
        if let former = device.process {
            await former.stop()
            device.log.note("started again at \(Self.now)")
        }
        try refuseWhenStopped()
        let port = device.address.flatMap { URL(string: $0)?.port } ?? 0
        let process = StageProcess(
            app,
            environment: [
                "CUMULET_DEVICE": device.folder.path, "CUMULET_PORT": String(port), "CUMULET_STAGE": origin,
                "CUMULET_VIEW_TOKEN": device.token,
            ], log: device.log)
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
            throw StageRefusal("there is no device '\(name)'", 404)
        }
        return device
    }

    func setOffline(_ isOffline: Bool, _ name: String) throws {
        let device = try device(name)
        device.process?.say(isOffline ? "offline" : "online")
        device.isOffline = isOffline
    }

    /// Ends the app on a device and starts it anew.
    func restart(_ name: String) async throws { try await run(try device(name)) }

    /// Opens an address on a device, as a tap on a link does.
    func open(_ link: String, on name: String) async throws {
        let device = try device(name)
        guard device.process?.isRunning == true, let address = device.address else {
            throw StageRefusal("the app does not run on '\(name)'", 409)
        }
        try await ShownApp(address).open(link)
    }

    /// What the device's processes have said, the oldest first.
    func log(of name: String) throws -> String { try device(name).log.text }

    private static var now: String {
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
    }
}

/// What the page asked for and cannot have.
struct StageRefusal: Error {
    let reason: String
    let status: Int

    init(_ reason: String, _ status: Int) {
        self.reason = reason
        self.status = status
    }
}
