import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import DatabaseTestSupport
import Glibc
import HTTPCore
import SQLiteDriver
import Testing

/// When files come and go.
@Suite struct AssetCollectionTests {
    private func withClient(
        on setUp: CloudSetUp, retention: Int = 0, _ body: (AssetClient, AssetCollector) async throws -> Void
    ) async throws {
        var limits = CloudLimits()
        limits.assetRetentionSeconds = retention
        try await setUp.withCloud(limits: limits) { cloud in
            let client = AssetClient(user: try await cloud.signIn("anna@example.org"))
            try await body(client, try cloud.collector())
            #expect(try await cloud.problems() == [])
        }
    }

    static let setUps = CloudSetUp.available.filter { $0.way == .inProcess }

    @Test(arguments: setUps)
    func `the same bytes are kept once, as long as anybody holds them`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp) { client, collector in
            let cloud = client.user.cloud
            let bert = AssetClient(user: try await cloud.signIn("bert@example.org"))
            try await client.keep([1, 2, 3], in: "p1")
            try await client.keep([1, 2, 3], in: "p1", "copy")
            try await client.keep([1, 2, 3], in: "p2")
            try await bert.keep([1, 2, 3], in: "p1")
            try await client.keep([4], in: "p2")
            #expect(try cloud.assetFiles().whole.count == 2)
            try await collector.collect()
            for name in ["p1", "p2"] { _ = await client.user.post("private/records/modify", Bodies.delete(name)) }
            #expect(try await collector.collect() == 1, "the 4 of p2 goes")
            #expect(await bert.download(try await bert.downloadPath("p1")).body == [1, 2, 3])
            await bert.save("p1", "null")
            #expect(try await collector.collect() == 1)
            #expect(try cloud.assetFiles().whole == [])
        }
    }

    @Test(arguments: setUps)
    func `files go with the zone that held them, by replacement, and by the end of their receipts`(
        on setUp: CloudSetUp
    ) async throws {
        try await withClient(on: setUp) { client, collector in
            let cloud = client.user.cloud
            var album = client
            album.zone = "Album"
            _ = await client.user.post("private/zones/modify", Bodies.zone("create", "Album"))
            try await album.keep([1], in: "p1")
            try await client.keep([2], in: "p2")
            try await client.keep([3], in: "p2")
            let file = try await client.upload([4], for: "p4")
            #expect(try await collector.collect() == 1, "the 2 goes")
            _ = await client.user.post("private/zones/modify", Bodies.zone("delete", "Album"))
            #expect(try await collector.collect() == 1, "the 1 goes")
            cloud.clock.advance(milliseconds: 23 * 3_600_000)
            #expect(try await collector.collect() == 0)
            cloud.clock.advance(milliseconds: 2 * 3_600_000)
            #expect(try await collector.collect() == 1, "the 4 goes")
            #expect(await client.save("p4", file).isRefusal("BAD_REQUEST", naming: "'photo'"))
            #expect(try cloud.assetFiles().whole.count == 1)
        }
    }

    @Test func `a file is kept for a while after the last record let go of it, and longer when one takes it again`()
        async throws
    {
        let setUp = CloudSetUp(way: .inProcess, storage: .memory)
        try await withClient(on: setUp, retention: 3600) { client, collector in
            let clock = client.user.cloud.clock
            try await client.keep([1], in: "p1")
            await client.save("p1", "null")
            clock.advance(milliseconds: 3_599_000)
            #expect(try await collector.collect() == 0)
            try await client.keep([1], in: "p1")
            clock.advance(milliseconds: 2000)
            #expect(try await collector.collect() == 0)
            await client.save("p1", "null")
            clock.advance(milliseconds: 3_599_000)
            #expect(try await collector.collect() == 0)
            clock.advance(milliseconds: 1000)
            #expect(try await collector.collect() == 1)
        }
    }

    @Test(arguments: setUps)
    func `what a died process left goes when it has lain there for an hour, and nothing else`(on setUp: CloudSetUp)
        async throws
    {
        try await withClient(on: setUp) { client, collector in
            let cloud = client.user.cloud
            try await client.keep([1], in: "p1")
            let folder = try cloud.assets.folder()
            let whole = try folder.makeUpload()
            try [9, 9].withUnsafeBytes { try whole.write($0) }
            _ = try whole.finish()  // and nobody makes it known
            let begun = try folder.makeUpload()
            try [7].withUnsafeBytes { try begun.write($0) }
            #expect(try await collector.collect() == 0)
            cloud.clock.advance(milliseconds: AssetCollector.strayAge - 60_000)
            for _ in AssetFolder.shards { #expect(try await collector.collect() == 0) }
            try [8].withUnsafeBytes { try begun.write($0) }  // it lives
            cloud.clock.advance(milliseconds: 60_000)
            var count = 0
            for _ in AssetFolder.shards { count += try await collector.collect() }
            #expect(count == 1)
            let left = try cloud.assetFiles()
            #expect(left.whole.count == 1 && left.uploads.count == 1)
            begun.discard()
        }
    }

    @Test(arguments: setUps)
    func `a file that was lost is told by name, and comes back with the next upload of its content`(
        on setUp: CloudSetUp
    ) async throws {
        try await withClient(on: setUp) { client, collector in
            let cloud = client.user.cloud
            try await client.keep([1, 2], in: "p1")
            let folder = try cloud.assets.folder()
            let file = try #require(try cloud.assetFiles().whole.first)
            #expect(remove("\(folder.path)/\(file)") == 0)
            let name = try #require(file.split(separator: "/").last)
            #expect(try await cloud.problems() == ["the file of asset \(name) is missing"])
            #expect(await client.download(try await client.downloadPath("p1")).status == 404)
            try await client.keep([1, 2], in: "p2")
            #expect(await client.download(try await client.downloadPath("p1")).body == [1, 2])
        }
    }

    /// Uploads, saves, deletes and collections of a few contents, all at once.
    @Test(arguments: setUps)
    func `collections beside uploads and saves take nothing that is held`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp) { client, collector in
            let cloud = client.user.cloud
            let other = try cloud.collector()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    let own = AssetClient(user: try await cloud.signIn("worker\(worker)@example.org"))
                    group.addTask {
                        for round in 0..<12 {
                            let bytes = [UInt8(round % 3)]
                            try await own.keep(bytes, in: "p")
                            let found = await own.download(try await own.downloadPath("p"))
                            #expect(found.status == 200 && found.body == bytes, "worker \(worker), round \(round)")
                            if round % 2 == 0 {
                                _ = await own.user.post("private/records/modify", Bodies.delete("p"))
                            }
                        }
                    }
                }
                for collector in [collector, other] {
                    group.addTask { for _ in 0..<40 { try await collector.collect() } }
                }
                try await group.waitForAll()
            }
            #expect(try await cloud.problems() == [])
            try await collector.collect()
            let held = try cloud.assetFiles().whole
            #expect(held.count == 1, "each worker's last record has the content 2: \(held)")
        }
    }
}
