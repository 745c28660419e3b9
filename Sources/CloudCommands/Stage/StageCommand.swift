import CloudClient
import Foundation
import HTTPClient
import HTTPCore

/// `stage`: an app on several devices, beside each other on one page.
enum StageCommand {
    static let stage = CommandDefinition(
        "stage", abstract: "Shows an app on several devices, side by side on one page of the browser.",
        discussion: """
            Each device is a process of its own, signed in to its account. Prints `stage on URL`; the page can cut a device
            off from the network, open a link on it, start it anew and show its log. Starts a service like `cumulet dev` unless one runs.
            """,
        arguments: [ArgumentDefinition("APP", help: "the app's executable")],
        options: [
            .option(
                "devices", "LIST",
                help:
                    "name:account, separated by commas (default: \(StagePlan.standard)); an account without @ is at example.com"
            ),
            .option("server", "URL", help: "the service (default: $CUMULET_SERVER, else one of the stage's own)"),
            .option("port", "PORT", help: "the port of the page, 0 for a free one (default: 8790)"),
            .option(
                "prepare", "PROGRAM",
                help:
                    "an executable to run before the app starts; $CUMULET_DEVICES has a signed-in folder for each device"
            ),
            .option("data", "DIR", help: "keeps devices and the stage's own service there (default: forgets them)"),
        ]
    ) { values in
        try await run(values)
    }
}

extension StageCommand {
    private static func run(_ values: ArgumentValues) async throws {
        let plan = try StagePlan(values.option("devices") ?? StagePlan.standard)
        let app = try executable(values.argument("APP"), "build the app and give the file it was built to")
        let preparation = try values.option("prepare").map {
            try executable($0, "give a program or a script that may be run")
        }
        let port = try values.number("port", in: 0...65535) ?? 8790
        let signals = StopSignals.install()
        let folder = try StageFolder(values.option("data"))
        defer { folder.remove() }
        let service = try await StageService.find(values.option("server"), in: folder)
        let stage = Stage(app: app, plan: plan, server: service.address, folder: folder, preparation: preparation)
        let stopping = Task {
            await signals.wait()
            await stage.stop()
        }
        let failure = await show(stage, port: UInt16(port))
        let isStopped = await stage.isStopped
        if failure == nil || isStopped { await stopping.value } else { await stage.stop() }
        await service.stop()
        // A stage that was told to end while it started has not failed.
        if let failure, !isStopped { throw failure }
    }

    /// Starts a stage and says where it is to be seen.
    /// - Returns: Why it could not be started.
    private static func show(_ stage: Stage, port: UInt16) async -> (any Error)? {
        do {
            let address = try await stage.start(port: port)
            Terminal.print("stage on \(address)")
            for line in await stage.summary { Terminal.print(line) }
            Terminal.print("open the address in the browser of this machine; Ctrl-C ends the stage")
            return nil
        } catch {
            return error
        }
    }

    private static func executable(_ path: String, _ advice: String) throws(Failure) -> URL {
        let file = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue,
            FileManager.default.isExecutableFile(atPath: file.path)
        else { throw Failure("'\(path)' is not an executable; \(advice)") }
        return file
    }
}

/// Which devices there are, and whose.
struct StagePlan: Equatable {
    static let standard = "phone:alice,tablet:alice,other:bob"
    static let limit = 8

    struct Device: Equatable {
        let name: String
        let account: String
        /// Whether it is as wide as a tablet.
        var isWide: Bool { name.hasPrefix("tablet") || name.hasPrefix("desk") }
    }

    let devices: [Device]

    init(_ text: String) throws(UsageError) {
        var devices: [Device] = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = piece.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let isName = parts[0].wholeMatch(of: /[a-z0-9-]{1,20}/) != nil
            guard parts.count == 2, isName, !parts[1].isEmpty, !parts[1].contains(where: \.isWhitespace) else {
                throw UsageError(
                    "'\(piece)' is not a device: it is like phone:alice, its name in small letters and digits")
            }
            guard !devices.contains(where: { $0.name == parts[0] }) else {
                throw UsageError("there are two devices '\(parts[0])'")
            }
            devices.append(
                Device(name: parts[0], account: parts[1].contains("@") ? parts[1] : "\(parts[1])@example.com"))
        }
        guard devices.count <= Self.limit else {
            throw UsageError("\(devices.count) devices are more than a stage has room for (\(Self.limit))")
        }
        self.devices = devices
    }
}

/// Where devices live.
struct StageFolder {
    let path: URL
    private let isKept: Bool

    init(_ given: String?) throws {
        isKept = given != nil
        path =
            given.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("cumulet-stage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Where the stage's own service keeps its data; `nil` for in memory.
    var serviceData: URL? { isKept ? path.appendingPathComponent("service") : nil }

    func device(_ name: String) -> URL { path.appendingPathComponent(name) }

    /// What is not to be kept goes. That a temporary folder stays is no failure of the stage.
    func remove() {
        if !isKept { try? FileManager.default.removeItem(at: path) }
    }
}

/// The service that the devices use: one that runs, or one that ends with the stage.
struct StageService {
    let address: String
    private let process: StageProcess?

    static func find(_ given: String?, in folder: StageFolder) async throws -> StageService {
        if let named = given ?? Terminal.variable("CUMULET_SERVER") {
            return StageService(address: named, process: nil)
        }
        if await answers(ServiceAddress.default) { return StageService(address: ServiceAddress.default, process: nil) }
        var arguments = ["dev", "--port", "0"]
        if let data = folder.serviceData { arguments += ["--data", data.path] }
        let process = StageProcess(
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(), arguments: arguments, environment: [:])
        let address = try await process.start(awaiting: "listening on ")
        return StageService(address: address, process: process)
    }

    private static func answers(_ address: String) async -> Bool {
        let request = HTTPRequest(method: "GET", target: "\(address)/health")
        let answer = try? await CurlTransport().send(request, timeout: .seconds(2))
        return answer?.status == 200
    }

    func stop() async { await process?.stop() }
}
