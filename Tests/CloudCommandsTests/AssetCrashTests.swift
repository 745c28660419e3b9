import CloudStorage
import CloudTestSupport
import Foundation
import Glibc
import HTTPClient
import HTTPCore
import PostgresDriver
import SQLCore
import SQLiteDriver
import Synchronization
import Testing

/// Kills the service while it takes files in, and looks at what is left.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AssetCrashTests {
    private static let container = "iCloud.org.example.album"

    @Test(arguments: CrashPlace.available)
    func `after a kill every acknowledged asset is there, and after a collection nothing that no record holds`(
        in place: CrashPlace
    ) async throws {
        let folder = try TemporaryFolder()
        try await place.withData(in: folder) { data in
            let album = Album()
            try await data.kill(rounds: 10, in: folder) { server, moment in
                let camera = try await Camera(at: server, container: Self.container)
                try await check(camera, album, moment)
                return camera
            } meanwhile: { camera, round, kill in
                await fill(album, with: camera, round, then: kill)
            }
            try await checkFiles(data.words)
        }
    }

    /// Saves photos over four connections, new ones, over others and the same again, deletes some, and ends the service at
    /// no chosen moment of their way: as a URL is asked for, as bytes are on their way, when they are there, when their
    /// record is saved. In every other round a fifth has sent half of a file and never sends the rest.
    private func fill(_ album: Album, with camera: Camera, _ round: Int, then kill: () -> Void) async {
        let floor = album.steps + Int.random(in: 1...60)
        let half = round.isMultiple(of: 2) ? nil : await camera.beginUpload()
        let (progress, told) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            for connection in 0..<4 {
                group.addTask {
                    defer { told.finish() }
                    var number = 0
                    while !Task.isCancelled {
                        let name = "c\(connection)n\(number % 5)"
                        let seed = UInt8.random(in: 0..<8)
                        number += 1
                        album.begin(name)
                        if number % 4 == 0 {
                            album.step()
                            told.yield()
                            guard await camera.delete(name) else { return }
                            album.end(name, nil)
                        } else {
                            let isSaved = await camera.save(name, Camera.photo(seed)) {
                                album.step()
                                told.yield()
                            }
                            guard isSaved else { return }
                            album.end(name, seed)
                        }
                    }
                }
            }
            for await _ in progress where album.steps >= floor { break }
            #expect(album.steps >= floor, "saves failed before the kill of round \(round)")
            kill()
            group.cancelAll()
        }
        half?.leave()
    }

    private func check(_ camera: Camera, _ album: Album, _ moment: String) async throws {
        for (name, seed) in album.known {
            let found = try await camera.photo(of: name)
            #expect(found == seed.map { Camera.photo($0) }, "\(name) \(moment)")
        }
    }

    /// Looks at tables and files themselves, before and after a collection a day and an hour later.
    private func checkFiles(_ words: [String]) async throws {
        func value(_ word: String) -> String? { words.firstIndex(of: word).map { words[$0 + 1] } }
        let time = Mutex(Int64(Date().timeIntervalSince1970 * 1000))
        let clock: @Sendable () -> Int64 = { time.withLock { $0 } }
        var folder: DataFolder?
        let database: any SQLDatabase
        let assets: AssetFolder
        if let path = value("--data") {
            let data = try DataFolder(path)
            folder = data
            database = SQLiteDatabase(path: data.databasePath)
            assets = try AssetFolder(path + "/assets")
        } else {
            database = try PostgresDatabase(try #require(value("--store")))
            assets = try AssetFolder(try #require(value("--assets")))
        }
        let store = try CloudStore(database, folder: folder, clock: clock)
        #expect(try await store.read { try $0.verify() } == [])
        #expect(try await store.verifyAssets(in: assets) == [])
        let collector = AssetCollector(store: store, folder: assets, isAlone: false, clock: clock)
        try await collector.collect()
        // The receipts end on the first day, and the files that nobody holds then go on the second.
        for _ in 1...2 {
            time.withLock { $0 += 25 * 3_600_000 }
            for _ in AssetFolder.shards { try await collector.collect() }
        }
        #expect(try await store.read { try $0.verify() } == [])
        #expect(try await store.verifyAssets(in: assets) == [])
        let held = try await store.read { transaction in
            try transaction.connection.first("SELECT COUNT(DISTINCT content) FROM asset_reference") { $0.integer(0) }
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: assets.path).filter { $0.contains("/") }
        #expect(Int64(files.count) == held, "\(files)")
        await store.close()
    }
}

/// What was heard of each record: which photo it holds, or none. Of those whose last answer never came nobody knows.
private final class Album: Sendable {
    private struct State {
        var photos: [String: UInt8?] = [:]
        var steps = 0
    }

    private let state = Mutex(State())

    var known: [String: UInt8?] { state.withLock { $0.photos } }
    /// Requests that were begun.
    var steps: Int { state.withLock { $0.steps } }
    func step() { state.withLock { $0.steps += 1 } }
    func begin(_ name: String) { state.withLock { _ = $0.photos.removeValue(forKey: name) } }
    func end(_ name: String, _ photo: UInt8?) {
        state.withLock { $0.photos[name] = .some(photo) }
    }
}
