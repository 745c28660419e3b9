import CloudCore
import CloudStorage
import CloudTestSupport
import Foundation
import HTTPCore
import Testing

/// From the upload of a file to its download.
@Suite struct AssetTests {
    private let photo = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 7) }

    private func withClient(
        on setUp: CloudSetUp = CloudSetUp(way: .inProcess, storage: .memory), limits: CloudLimits = CloudLimits(),
        _ body: (AssetClient) async throws -> Void
    ) async throws {
        try await setUp.withCloud(limits: limits) { cloud in
            try await body(AssetClient(user: try await cloud.signIn("anna@example.org")))
            #expect(try await cloud.problems() == [])
        }
    }

    @Test(
        arguments: CloudSetUp.available,
        ["application/octet-stream", "application/x-www-form-urlencoded", "multipart/form-data; boundary=\"xyz\"", nil])
    func `a file is uploaded in every form, saved with its receipt and downloaded`(
        on setUp: CloudSetUp, type: String?
    ) async throws {
        try await withClient(on: setUp) { client in
            let isForm = type?.hasPrefix("multipart") == true
            let path = try await client.uploadPath("p1")
            let answer = await client.send(isForm ? AssetClient.form(photo) : photo, to: path, type: type)
            let file = try AssetClient.file(in: answer)
            #expect(file.contains(#""size":300000"#))
            #expect(Bodies.string("fileChecksum", in: file) == AssetClient.checksum(photo))
            let saved = await client.save("p1", file)
            #expect(saved.body.contains(#""type":"ASSETID""#) && saved.body.contains("downloadURL"), "\(saved.body)")
            #expect(!saved.body.contains("receipt"))
            let found = await client.download(try await client.downloadPath("p1"))
            #expect(found.status == 200 && found.body == photo)
        }
    }

    @Test func `a URL is good no longer than the account that it was made for`() async throws {
        let cloud = try TestCloud()
        let client = AssetClient(user: try await cloud.signIn("anna@example.org"))
        try await client.keep([1, 2, 3], in: "p1")
        let (upload, download) = (try await client.uploadPath("p2"), try await client.downloadPath("p1"))
        #expect(await client.download(download).status == 200)
        try await cloud.store.write {
            try $0.setDisabled(true, account: $0.requireAccount(email: "anna@example.org"))
        }
        #expect(await client.download(download).status == 403)
        #expect(await client.send([1], to: upload).status == 403)
        await cloud.close()
    }

    @Test(arguments: ["private", "public"])
    func `an answer has wrapping keys in the private database and a URL that nobody need escape`(database: String)
        async throws
    {
        try await withClient { client in
            var client = client
            client.database = database
            let file = try await client.upload(photo, for: "p1")
            #expect(file.contains("wrappingKey") == (database == "private"))
            #expect(file.contains("referenceChecksum") == (database == "private"))
            await client.save("p1", file)
            let asset = try await client.asset("p1")
            #expect(asset.contains("wrappingKey") == (database == "private"))
            let path = try await client.downloadPath("p1")
            let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/")
            #expect(path.allSatisfy { plain.contains($0) }, "\(path)")
        }
    }

    @Test func `every answer that shows the record shows where its asset is`() async throws {
        try await withClient { client in
            var client = client
            client.zone = "Album"
            _ = await client.user.post("private/zones/modify", Bodies.zone("create", "Album"))
            try await client.keep(photo, in: "p1")
            let zone = #""zoneID":{"zoneName":"Album"}"#
            for (operation, json) in [
                ("private/records/lookup", #"{\#(zone),"records":[{"recordName":"p1"}]}"#),
                ("private/records/query", #"{\#(zone),"query":{"recordType":"Photo"}}"#),
                ("private/changes/zone", #"{"zones":[{\#(zone)}]}"#),
            ] {
                let answer = await client.user.post(operation, json)
                let url = Bodies.string("downloadURL", in: answer.body)
                #expect(url != nil, "\(answer.body)")
                let found = await client.download(try client.path(url ?? ""))
                #expect(found.body == photo, "\(operation)")
            }
            let refused = await client.save("p1", "1", "n", operation: "create")
            #expect(refused.isRefusal("EXISTS") && refused.body.contains("downloadURL"), "\(refused.body)")
        }
    }

    @Test(arguments: ["forceUpdate", "forceReplace"])
    func `an asset that is sent back as it was read stays`(operation: String) async throws {
        try await withClient { client in
            try await client.keep(photo, in: "p1")
            let asset = try await client.asset("p1")
            let saved = await client.save("p1", asset, operation: operation)
            #expect(!saved.body.contains("serverErrorCode"), "\(saved.body)")
            let found = await client.download(try await client.downloadPath("p1"))
            #expect(found.body == photo)
            let elsewhere = await client.save("p2", asset)
            #expect(elsewhere.isRefusal("BAD_REQUEST", naming: "'photo'"), "\(elsewhere.body)")
            let otherField = await client.save("p1", asset, "copy")
            #expect(otherField.isRefusal("BAD_REQUEST", naming: "'copy'"), "\(otherField.body)")
        }
    }

    @Test func `a list holds assets, new ones and those it had`() async throws {
        try await withClient { client in
            let first = try await client.upload([1], for: "p1", "photos")
            let second = try await client.upload([2, 2], for: "p1", "photos")
            let saved = await client.save("p1", "[\(first),\(second)]", "photos")
            #expect(saved.body.contains("ASSETID_LIST"), "\(saved.body)")
            let third = try await client.upload([3, 3, 3], for: "p1", "photos")
            let kept = #"{"fileChecksum":"\#(AssetClient.checksum([2, 2]))","size":2}"#
            let changed = await client.save("p1", "[\(third),\(kept)]", "photos")
            #expect(!changed.body.contains("serverErrorCode"), "\(changed.body)")
            let urls = changed.body.split(separator: #""downloadURL":""#).dropFirst()
            var found: [[UInt8]] = []
            for url in urls {
                found.append(await client.download(try client.path(String(url.prefix { $0 != "\"" }))).body)
            }
            #expect(found == [[3, 3, 3], [2, 2]])
        }
    }

    @Test func `an empty file is an asset too`() async throws {
        try await withClient { client in
            for (number, type) in ["application/octet-stream", "multipart/form-data; boundary=xyz"].enumerated() {
                let path = try await client.uploadPath("p\(number)")
                let body = type.hasPrefix("multi") ? AssetClient.form([]) : []
                await client.save("p\(number)", try AssetClient.file(in: await client.send(body, to: path, type: type)))
                let found = await client.download(try await client.downloadPath("p\(number)"))
                #expect(found.status == 200 && found.body == [])
            }
        }
    }

    @Test func `an asset can be cleared, and is no index, filter or sort key`() async throws {
        try await withClient { client in
            try await client.keep(photo, in: "p1")
            for part in [
                #""filterBy":[{"fieldName":"photo","comparator":"EQUALS","fieldValue":{"value":"x"}}]"#,
                #""sortBy":[{"fieldName":"photo"}]"#,
            ] {
                let answer = await client.user.post(
                    "private/records/query", #"{"query":{"recordType":"Photo",\#(part)}}"#)
                #expect(answer.isRefusal("BAD_REQUEST", naming: "photo"), "\(answer.body)")
            }
            let path = try await client.downloadPath("p1")
            let cleared = await client.save("p1", "null")
            #expect(!cleared.body.contains("photo"))
            #expect(await client.download(path).status == 404)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `downloads have ranges, entity tags, HEAD and headers that keep browsers from running them`(
        on setUp: CloudSetUp
    ) async throws {
        try await withClient(on: setUp) { client in
            try await client.keep(photo, in: "p1")
            let path = try await client.downloadPath("p1")
            let part = await client.download(path, ["Range": "bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(photo[10..<20]))
            #expect(part.headers["Content-Range"] == "bytes 10-19/300000")
            #expect(await client.download(path, ["Range": "bytes=300000-"]).status == 416)
            let head = await client.download(path, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers["X-Content-Type-Options"] == "nosniff")
            #expect(head.headers["Content-Disposition"] == "attachment")
            #expect(head.headers["Content-Security-Policy"]?.contains("sandbox") == true)
            let tag = try #require(head.headers["ETag"])
            let known = await client.download(path, ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty)
            #expect(await client.user.cloud.send("DELETE", path).status == 405)
        }
    }

    // MARK: - Rereference

    @Test(arguments: CloudSetUp.available)
    func `an asset is saved elsewhere without being uploaded again`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp) { client in
            try await client.keep(photo, in: "p1")
            let answer = await client.user.post(
                "private/assets/rereference",
                #"{"assets":[{"recordName":"p1","fieldName":"photo"},{"recordName":"none","fieldName":"photo"},"#
                    + #"{"recordName":"p1","fieldName":"title"}]}"#)
            #expect(answer.status == 200)
            #expect(answer.isRefusal("NOT_FOUND", naming: "'none'") && answer.isRefusal("NOT_FOUND", naming: "'title'"))
            let start = try #require(answer.body.range(of: #"{"assets":["#)?.upperBound)
            let asset = String(answer.body[start...].prefix { $0 != "}" }) + "}"
            let saved = await client.save("p2", asset, "copy", type: "Copy")
            #expect(!saved.body.contains("serverErrorCode"), "\(saved.body)")
            let again = await client.save("p3", asset, "copy", type: "Copy")
            #expect(again.isRefusal("BAD_REQUEST", naming: "'copy'"), "the receipt is spent: \(again.body)")
            _ = await client.user.post("private/records/modify", Bodies.delete("p1"))
            let found = await client.download(try await client.downloadPath("p2", "copy"))
            #expect(found.body == photo)
            #expect(try client.user.cloud.assetFiles().whole.count == 1)
        }
    }
}
