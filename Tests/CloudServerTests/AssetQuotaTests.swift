import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import HTTPCore
import SQLCore
import Testing

/// What assets take of a database's room.
@Suite struct `The room that assets take` {
    private static let setUps = CloudSetUp.available.filter { $0.way == .inProcess }
    private let memory = CloudSetUp(way: .inProcess, storage: .memory)

    private func withClient(
        on setUp: CloudSetUp, _ database: String = "private", bytes limit: Int? = nil, waiting: Int? = nil,
        _ body: (AssetClient) async throws -> Void
    ) async throws {
        var limits = CloudLimits()
        if let limit { (limits.privateDatabaseBytes, limits.publicDatabaseBytes) = (limit, limit) }
        if let waiting { limits.assetsWaiting = waiting }
        try await setUp.withCloud(limits: limits) { cloud in
            try await body(AssetClient(user: try await cloud.signIn("anna@example.org"), database: database))
            #expect(try await cloud.problems() == [])
        }
    }

    /// Bytes that the database is counted to have.
    private func bytes(_ client: AssetClient) async throws -> Int {
        let scope: DatabaseScope = client.database == "public" ? .public : .private
        return try await client.user.cloud.store.read { transaction in
            try transaction.connection.first(
                "SELECT bytes FROM cloud_database WHERE scope = ?1 ORDER BY id LIMIT 1",
                .integer(Int64(scope.rawValue))
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// What one record that holds an asset takes besides the asset's own bytes; its size has as many digits as these have.
    private func overhead(_ database: String) async throws -> Int {
        var found = 0
        try await withClient(on: memory, database) { client in
            try await client.keep([UInt8](repeating: 1, count: 1000), in: "p1")
            found = try await bytes(client) - 1000
        }
        return found
    }

    @Test(arguments: setUps, ["private", "public"])
    func `a database takes assets up to its limit and not one byte more`(on setUp: CloudSetUp, database: String)
        async throws
    {
        let overhead = try await overhead(database)
        for (limit, isEnough) in [(2 * (overhead + 1000), true), (2 * (overhead + 1000) - 1, false)] {
            try await withClient(on: setUp, database, bytes: limit) { client in
                try await client.keep([UInt8](repeating: 1, count: 1000), in: "p1")
                let file = try await client.upload([UInt8](repeating: 2, count: 1000), for: "p2")
                let answer = await client.save("p2", file)
                if isEnough {
                    #expect(answer.status == 200 && !answer.body.contains("serverErrorCode"), "\(answer.body)")
                } else {
                    let reason =
                        "the \(database) database has \(overhead + 1000) bytes and would have \(limit + 1); at most"
                    #expect(answer.status == 413 && answer.isRefusal("QUOTA_EXCEEDED", naming: "\(reason) \(limit)"))
                    #expect(await client.lookUp("p2").isRefusal("NOT_FOUND"))
                    // The receipt is not spent.
                    _ = await client.user.post("\(database)/records/modify", Bodies.delete("p1"))
                    let later = await client.save("p2", file)
                    #expect(!later.body.contains("serverErrorCode"), "\(later.body)")
                }
                #expect(try await bytes(client) == (isEnough ? 2 : 1) * (overhead + 1000))
            }
        }
    }

    @Test(arguments: setUps)
    func `the same bytes count for each record that holds them, and once however many fields do`(on setUp: CloudSetUp)
        async throws
    {
        let overhead = try await overhead("private")
        try await withClient(on: setUp) { client in
            let photo = [UInt8](repeating: 1, count: 1000)
            try await client.keep(photo, in: "p1")
            try await client.keep(photo, in: "p2")
            #expect(try await bytes(client) == 2 * (overhead + 1000))
            try await client.keep(photo, in: "p1", "copy")
            let both = try await bytes(client)
            #expect(both < 2 * (overhead + 1000) + 1000, "a second field of p1 is no second copy")
            await client.save("p1", "null", "copy")
            #expect(try await bytes(client) == 2 * (overhead + 1000))
            await client.save("p1", "null")
            #expect(try await bytes(client) < overhead + 1000 + overhead)
            _ = await client.user.post("private/records/modify", Bodies.delete("p1"))
            #expect(try await bytes(client) == overhead + 1000)
        }
    }

    @Test(arguments: setUps)
    func `what makes a full database smaller is never refused`(on setUp: CloudSetUp) async throws {
        let overhead = try await overhead("private")
        try await withClient(on: setUp, bytes: overhead + 1000) { client in
            try await client.keep([UInt8](repeating: 1, count: 1000), in: "p1")
            #expect(try await bytes(client) == overhead + 1000)
            // A smaller file in its place, uploaded while there is no room for it.
            try await client.keep([UInt8](repeating: 2, count: 999), in: "p1")
            #expect(try await bytes(client) < overhead + 1000)
            try await client.keep([UInt8](repeating: 3, count: 1000), in: "p1")
            // A new one, as another goes in the same request.
            let file = try await client.upload([UInt8](repeating: 4, count: 1000), for: "p2")
            let moved = await client.user.post(
                "private/records/modify",
                #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"p1"}},{"operationType":"create","#
                    + #""record":{"recordName":"p2","recordType":"Photo","fields":{"photo":{"value":\#(file)}}}}]}"#)
            #expect(moved.status == 200 && !moved.body.contains("serverErrorCode"), "\(moved.body)")
            let cleared = await client.save("p2", "null")
            #expect(!cleared.body.contains("serverErrorCode"), "\(cleared.body)")
        }
    }

    @Test(arguments: setUps)
    func `assets go from the count with their zone`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp) { client in
            var album = client
            album.zone = "Album"
            _ = await client.user.post("private/zones/modify", Bodies.zone("create", "Album"))
            try await client.keep([1, 2, 3], in: "p1")
            let before = try await bytes(client)
            try await album.keep([UInt8](repeating: 1, count: 1000), in: "p1")
            #expect(try await bytes(client) > before + 1000)
            _ = await client.user.post("private/zones/modify", Bodies.zone("delete", "Album"))
            #expect(try await bytes(client) == before)
        }
    }

    @Test(arguments: setUps)
    func `as many bytes may wait to be saved as the database may have, of each user`(on setUp: CloudSetUp) async throws
    {
        try await withClient(on: setUp, "public", bytes: 2000) { client in
            let cloud = client.user.cloud
            let bert = AssetClient(user: try await cloud.signIn("bert@example.org"), database: "public")
            let photo = [UInt8](repeating: 1, count: 1000)
            let file = try await client.upload(photo, for: "p1")
            _ = try await client.upload(photo, for: "p2")
            let refused = await client.send([1], to: try await client.uploadPath("p3"))
            let text = String(decoding: refused.body, as: UTF8.self)
            #expect(refused.status == 413 && text.contains("QUOTA_EXCEEDED"), "\(text)")
            #expect(text.contains("2000 bytes wait") && text.contains("2001") && text.contains("public database"))
            _ = try await bert.upload(photo, for: "p4")
            await client.save("p1", file)
            _ = try await client.upload([1], for: "p3")
            // What is not saved in time no longer waits.
            cloud.clock.advance(milliseconds: 25 * 3_600_000)
            _ = try await client.upload(photo, for: "p1")
            _ = try await client.upload(photo, for: "p1")
        }
    }

    @Test(arguments: setUps)
    func `as many assets of a user may wait as the limit says`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp, waiting: 2) { client in
            try await client.keep([1], in: "p1")
            let file = try await client.upload([2], for: "p2")
            _ = try await client.upload([3], for: "p3")
            let refused = await client.send([1], to: try await client.uploadPath("p4"))
            let text = String(decoding: refused.body, as: UTF8.self)
            #expect(refused.status == 413 && text.contains("QUOTA_EXCEEDED") && text.contains("2 assets of yours wait"))
            let again = await client.user.post(
                "private/assets/rereference", #"{"assets":[{"recordName":"p1","fieldName":"photo"}]}"#)
            #expect(again.isRefusal("QUOTA_EXCEEDED", naming: "at most 2"), "\(again.body)")
            await client.save("p2", file)
            _ = try await client.upload([4], for: "p4")
        }
    }
}
