import CloudClient
import CloudCore
import CloudKit
import CloudTestSupport
import DatabaseTestSupport
import Foundation
import HTTPClient
import Synchronization
import Testing

/// What a caller may be waiting for when it leaves, by the request that the service is about to answer.
private enum Errand: String, CaseIterable {
    case signIn = "/web-token"
    case save = "/records/modify"
    case fetch = "/records/lookup"
    case search = "/records/query"
    case zoneFeed = "/changes/zone"
    case databaseFeed = "/changes/database"
    case upload = "/asset/1/upload/"
    case download = "/asset/1/download/"
    case subscription = "/tokens/create"
    case pushes = "/device/1/courier"
}

/// How it leaves.
private enum Leave: CaseIterable {
    case cancelsOperation
    case cancelsTask
    /// Lets go of all that it has, and the service answers afterwards.
    case letsGo
}

/// An object that should be gone.
private struct Watched: @unchecked Sendable {
    // Unchecked: read when nobody writes any more; the reference is cleared by the run time, which knows of threads.
    weak var object: AnyObject?
    let name: String

    init(_ object: AnyObject) {
        self.object = object
        name = String(describing: type(of: object))
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A caller that leaves in the middle` {
    @Test func `of anything leaves no object, task, connection, file or descriptor behind`() async {
        await #expect(processExitsWith: .success) {
            let world = try World()
            for leave in Leave.allCases {
                for errand in Errand.allCases {
                    do { try await world.leave(errand, leave) } catch {
                        Issue.record(error, "\(errand), \(leave)")
                        return
                    }
                }
            }
            try await world.close()
        }
    }

    @Test func `of a save of many assets leaves no copies of them on the device`() async {
        await #expect(processExitsWith: .success) {
            let world = try World()
            for round in 0..<20 {
                let phone = try await world.phone()
                let operation = CKModifyRecordsOperation(
                    recordsToSave: try world.photos(8, seed: UInt8(round), size: 300_000))
                let result = Mutex<CKError.Code?>(nil)
                operation.modifyRecordsResultBlock = { answer in result.withLock { $0 = answer.code ?? .internalError }
                }
                // The copying, the asking for addresses and the sending lie one after the other.
                operation.perRecordProgressBlock = { [weak operation] _, _ in if round % 2 == 0 { operation?.cancel() }
                }
                phone.database.add(operation)
                for _ in 0..<(round * 40) { await Task.yield() }
                if round % 2 == 1 { operation.cancel() }
                try await until { operation.isFinished }
                #expect(result.withLock { $0 } != nil)
            }
            try await world.nothingIsLeft("saves of assets", [])
            try await world.close()
        }
    }

    @Test func `of waiting for another's sign-in leaves the other waiting`() async throws {
        let gate = RequestGate()
        let cloud = try TestCloud(on: CloudSetUp.ways[1], gate: gate)
        let phone = try await Phones(cloud: cloud).database()
        gate.close(for: Errand.signIn.rawValue)
        let tasks = (0..<5).map { _ in Task { try await phone.allRecordZones().count } }
        try await until { gate.held == 1 }
        for task in tasks.dropFirst() { task.cancel() }
        for task in tasks.dropFirst() { #expect(await task.result.code == .operationCancelled) }
        #expect(gate.held == 1)
        gate.open()
        #expect(try await tasks[0].value >= 0)
        gate.close(for: Errand.signIn.rawValue)
        let next = try await Phones(cloud: cloud).database()
        let given = Task { try await next.allRecordZones().count }
        try await until { gate.held == 1 }
        given.cancel()
        #expect(await given.result.code == .operationCancelled)
        try await until { gate.held == 0 }
        gate.open()
        #expect(try await next.allRecordZones().count >= 0, "whoever comes after one that gave up asks anew")
        await cloud.close()
    }
}

/// A service, and devices of one account whose folders and transports are counted.
private final class World: Sendable {
    struct Phone {
        let device: CloudDevice
        let container: CKContainer
        var database: CKDatabase { container.privateCloudDatabase }
    }

    let gate = RequestGate()
    let cloud: TestCloud
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leaving-\(UUID().uuidString)")
    private let descriptors = Mutex<Int?>(nil)

    init() throws {
        cloud = try TestCloud(on: CloudSetUp.ways[1], gate: gate)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The service has its folder; from here on it is the devices' temporary files that go to ours.
        #expect(try cloud.assetFiles().uploads == [])
        setenv("TMPDIR", folder.path, 1)
    }

    func close() async throws {
        await cloud.close()
        try FileManager.default.removeItem(at: folder)
    }

    /// A new device with a folder of its own and the zone, and nothing kept of the service: the web token is asked for anew.
    func phone() async throws -> Phone {
        let home = folder.appendingPathComponent("device-\(UUID().uuidString)")
        let device = CloudDevice(
            transport: CurlTransport(), store: DeviceStore(folder: home), environment: { _ in nil })
        try await device.signIn("alice@example.com", server: URL(string: cloud.url))
        return Phone(device: device, container: Phones.container(on: device))
    }

    /// - Parameter size: Small ones, to a service that holds them back, are sent before the caller leaves: the system would
    ///   keep the rest of a large one for a server that does not read, and tell it of no end.
    func photos(_ count: Int, seed: UInt8, size: Int = 20_000) throws -> [CKRecord] {
        let files = AppFiles(folder: folder)
        return try (0..<count).map { number in
            let record = note("photo\(seed)-\(number)")
            record["photo"] = CKAsset(fileURL: try files.make("app-\(number)", size: size, seed: seed))
            return record
        }
    }

    func leave(_ errand: Errand, _ leave: Leave) async throws {
        let watched = try await run(errand, leave)
        try await nothingIsLeft("\(errand), \(leave)", watched)
    }

    /// Begins the errand on a device of its own, and leaves when the service holds its request back.
    private func run(_ errand: Errand, _ leave: Leave) async throws -> [Watched] {
        let photo = try await savedPhoto()
        let phone = try await phone()
        let database = phone.database
        var watched = [Watched(phone.device), Watched(phone.container), Watched(database)]
        if errand != .signIn { _ = try await database.allRecordZones() }
        gate.close(for: errand.rawValue)
        let record = try photos(1, seed: 7)[0]
        let task: Task<Void, any Error>
        if leave == .cancelsTask || errand == .pushes || errand == .subscription {
            let container = phone.container
            let device = phone.device
            task = Task {
                switch errand {
                case .signIn, .databaseFeed: _ = try await database.databaseChanges(since: nil)
                case .save, .upload:
                    _ = try await database.modifyRecords(saving: [record], deleting: [], savePolicy: .allKeys)
                case .fetch, .download: _ = try await database.record(for: photo)
                case .search: _ = try await database.records(matching: Self.query, inZoneWith: notes)
                case .zoneFeed: _ = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
                case .subscription: _ = try await database.save(CKDatabaseSubscription(subscriptionID: "all"))
                case .pushes:
                    for await _ in withExtendedLifetime(container, { device.notifications() }) {}
                    throw CancellationError()
                }
            }
        } else {
            let operation = Self.operation(errand, record, photo)
            watched.append(Watched(operation))
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            operation.completionBlock = { end.finish() }
            database.add(operation)
            let isCancelled = leave == .cancelsOperation
            task = Task { [weak operation] in
                if isCancelled {
                    try await until { self.gate.held == 1 }
                    operation?.cancel()
                }
                for await _ in ends {}
                if isCancelled { throw CancellationError() }
            }
        }
        if leave == .cancelsOperation, errand != .pushes, errand != .subscription {
            #expect(await !task.result.isSuccess)
        } else {
            try await until { gate.held >= 1 }
            // Nobody lets a sequence of pushes go without ending its loop.
            if leave == .letsGo, errand != .pushes { gate.open() } else { task.cancel() }
            let isSuccess = await task.result.isSuccess
            #expect(isSuccess == (leave == .letsGo && errand != .pushes), "\(errand), \(leave)")
        }
        if leave != .letsGo { try await until { gate.held == 0 } }
        gate.open()
        return watched
    }

    /// The name of a record with a photo that another device has saved.
    private func savedPhoto() async throws -> CKRecord.ID {
        let phone = try await phone()
        try await phone.database.save(CKRecordZone(zoneID: notes))
        let record = try photos(1, seed: 1)[0]
        _ = try await phone.database.modifyRecords(saving: [record], deleting: [], savePolicy: .allKeys)
        return record.recordID
    }

    private static var query: CKQuery { CKQuery(recordType: "Note", predicate: NSPredicate(value: true)) }

    private static func operation(_ errand: Errand, _ record: CKRecord, _ photo: CKRecord.ID) -> CKDatabaseOperation {
        switch errand {
        case .save, .upload:
            let operation = CKModifyRecordsOperation(recordsToSave: [record])
            operation.savePolicy = .allKeys
            // A block that has the operation keeps it no longer than it runs.
            operation.modifyRecordsResultBlock = { _ in _ = operation.isFinished }
            return operation
        case .fetch, .download: return CKFetchRecordsOperation(recordIDs: [photo])
        case .search:
            let operation = CKQueryOperation(query: query)
            operation.zoneID = notes
            return operation
        case .zoneFeed: return CKFetchRecordZoneChangesOperation(recordZoneIDs: [notes])
        case .signIn, .databaseFeed, .subscription, .pushes:
            return CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
        }
    }

    /// Waits for it; a test that waits in vain says for what.
    func nothingIsLeft(_ what: String, _ watched: [Watched]) async throws {
        do {
            try await until {
                try watched.allSatisfy { $0.object == nil } && cloud.openConnections == 0 && gate.held == 0
                    && OwnProcess.transportThreads == 0 && left().isEmpty && isSameNumberOfDescriptors()
            }
        } catch {
            Issue.record(
                """
                \(what): \(watched.filter { $0.object != nil }.map(\.name)) alive, \(cloud.openConnections) connections, \
                \(gate.held) requests, \(OwnProcess.transportThreads) threads, files \(try left()), \
                \(OwnProcess.descriptors) descriptors
                """)
            throw error
        }
    }

    /// Files that are there for a while only: copies of assets on their way, at both ends, operations that are kept, and all
    /// in the folder for temporary files but what the test has there.
    private func left() throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try cloud.assetFiles().uploads
            + paths.filter { path in
                let isKnown = path.hasPrefix("device-") || path.hasPrefix("app-")
                return !isKnown || path.contains("/staging/") || path.contains("/operations/")
            }
    }

    /// The first time is what later ones are compared with.
    private func isSameNumberOfDescriptors() -> Bool {
        let now = OwnProcess.descriptors
        return descriptors.withLock { first in
            if first == nil { first = now }
            return now <= first ?? 0
        }
    }
}

/// What this process has open and running, as the system tells it.
private enum OwnProcess {
    /// Sockets and files on a disk.
    static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count { name in
            var info = stat()
            guard let descriptor = Int32(name), fstat(descriptor, &info) == 0 else { return false }
            return [S_IFSOCK, S_IFREG].contains(info.st_mode & S_IFMT)
        } ?? 0
    }

    /// Threads that drive the requests of a device.
    static var transportThreads: Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.count { thread in
            (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "cumulet.http\n"
        }
    }
}
