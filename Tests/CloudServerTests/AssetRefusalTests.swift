import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import Glibc
import HTTPCore
import Testing

/// What may not be done with assets, and by whom.
@Suite struct AssetRefusalTests {
    private func withClient(
        on setUp: CloudSetUp = CloudSetUp(way: .inProcess, storage: .memory), limits: CloudLimits = CloudLimits(),
        _ body: (AssetClient) async throws -> Void
    ) async throws {
        try await setUp.withCloud(limits: limits) { cloud in
            try await body(AssetClient(user: try await cloud.signIn("anna@example.org")))
            #expect(try await cloud.problems() == [])
            #expect(try cloud.assetFiles().uploads == [], "something is left of an upload")
        }
    }

    // MARK: - Files

    @Test(arguments: CloudSetUp.available)
    func `a file that is shorter than it was is refused at once, its size told to the log alone`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withCloud { cloud in
            let client = AssetClient(user: try await cloud.signIn("anna@example.org"))
            _ = try await client.keep([UInt8](repeating: 7, count: 10_000), in: "p1")
            let path = try await client.downloadPath("p1")
            let file = try #require(try cloud.assetFiles().whole.first)
            #expect(truncate(try cloud.assets.folder().path + "/" + file, 5000) == 0)
            let answer = await client.download(path)
            #expect(answer.status == 500)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("5000"))
        }
    }

    // MARK: - Receipts

    @Test(arguments: CloudSetUp.available)
    func `a receipt is good once, for its field and type, with the file it is for`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp) { client in
            let file = try await client.upload([1, 2, 3], for: "p1")
            for (saved, what) in [
                (await client.save("p1", file, "other"), "another field"),
                (await client.save("p1", file, type: "Other"), "another type"),
                (
                    await client.save(
                        "p1", file.replacing(AssetClient.checksum([1, 2, 3]), with: AssetClient.checksum([4]))),
                    "another checksum"
                ),
                (await client.save("p1", file.replacing(#""size":3"#, with: #""size":4"#)), "another size"),
                (await client.save("p1", #"{"receipt":"bm9uZQ=="}"#), "an unknown receipt"),
                (await client.save("p1", "[\(file),\(file)]", "photo"), "the same twice"),
            ] {
                #expect(
                    saved.status == 200 && saved.isRefusal("BAD_REQUEST", naming: "field '"), "\(what): \(saved.body)")
            }
            // None of that spent it.
            let saved = await client.save("p1", file)
            #expect(!saved.body.contains("serverErrorCode"), "\(saved.body)")
            let spent = await client.save("p2", file)
            #expect(spent.isRefusal("BAD_REQUEST", naming: "'photo'"), "\(spent.body)")
            let repeated = await client.save("p1", file)
            #expect(!repeated.body.contains("serverErrorCode"), "a repeat after a lost answer: \(repeated.body)")
        }
    }

    @Test func `two records of one request cannot share a receipt, and a refused one does not spend it`() async throws {
        try await withClient { client in
            let file = try await client.upload([1], for: "a")
            func operation(_ name: String, _ fields: String) -> String {
                #"{"operationType":"create","record":{"recordName":"\#(name)","recordType":"Photo","fields":{\#(fields)}}}"#
            }
            let photo = #""photo":{"value":\#(file)}"#
            let lost = #""target":{"value":{"recordName":"none","action":"VALIDATE"},"type":"REFERENCE"}"#
            let answer = await client.user.post(
                "private/records/modify",
                #"{"operations":[\#(operation("a", photo + "," + lost)),\#(operation("b", photo)),\#(operation("c", photo))]}"#
            )
            #expect(
                answer.isRefusal("VALIDATING_REFERENCE_ERROR") && answer.isRefusal("BAD_REQUEST", naming: "'photo'"))
            #expect(await client.lookUp("b").body.contains("downloadURL"))
            #expect(await client.lookUp("c").isRefusal("NOT_FOUND"))
        }
    }

    @Test func `a receipt is its uploader's, in its database, for a day`() async throws {
        try await withClient { client in
            let bert = AssetClient(user: try await client.user.cloud.signIn("bert@example.org"), database: "public")
            var anna = client
            anna.database = "public"
            let file = try await anna.upload([1], for: "p1")
            #expect(await bert.save("p1", file).isRefusal("BAD_REQUEST", naming: "'photo'"))
            #expect(await client.save("p1", file).isRefusal("BAD_REQUEST", naming: "'photo'"))
            anna.user.cloud.clock.advance(milliseconds: 24 * 3_600_000 - 1000)
            #expect(await !anna.save("p1", file).body.contains("serverErrorCode"))
            let late = try await anna.upload([2], for: "p2")
            anna.user.cloud.clock.advance(milliseconds: 24 * 3_600_000)
            #expect(await anna.save("p2", late).isRefusal("BAD_REQUEST", naming: "'photo'"))
        }
    }

    // MARK: - URLs

    @Test func `an upload's URL is good for a quarter of an hour, a download's for a day`() async throws {
        try await withClient { client in
            let path = try await client.uploadPath("p1")
            client.user.cloud.clock.advance(milliseconds: 899_000)
            let file = try AssetClient.file(in: await client.send([1], to: path))
            client.user.cloud.clock.advance(milliseconds: 1000)
            #expect(await client.send([1], to: path).status == 403)
            await client.save("p1", file)
            let download = try await client.downloadPath("p1")
            client.user.cloud.clock.advance(milliseconds: 86_400_000 - 1000)
            #expect(await client.download(download).status == 200)
            client.user.cloud.clock.advance(milliseconds: 1000)
            #expect(await client.download(download).status == 403)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `a URL that was altered, or is of another kind, opens nothing and is in no log`(on setUp: CloudSetUp)
        async throws
    {
        try await withClient(on: setUp) { client in
            let upload = try await client.uploadPath("p1")
            try await client.keep([1, 2, 3], in: "p1")
            let download = try await client.downloadPath("p1")
            let (token, secret) = (String(download.dropFirst(18)), String(upload.dropFirst(16)))
            for path in [
                "/asset/1/download/\(secret)", "/asset/1/download/x\(token)", "/asset/1/download/\(token)A",
                "/asset/1/download/\(token.dropLast())", "/asset/1/download/\(token)/../../../cumulet.sqlite",
                "/asset/1/download/\(token)/x", "/asset/1/download/..%2F..%2Fetc%2Fpasswd", "/asset/1/download/%00",
                "/asset/1/download/\(String(token.reversed()))", "/asset/1/download/=",
            ] {
                let answer = await client.download(path)
                // Some clients tidy a path up before they send it.
                #expect([403, 404].contains(answer.status), "\(path): \(answer.status)")
            }
            #expect(await client.download("/asset/1/download/").status == 404)
            for path in ["/asset/1/upload/\(token)", "/asset/1/upload/\(secret)/x", "/asset/1/upload/..%2Fx"] {
                #expect(await client.send([1], to: path).status == 403)
            }
            for entry in client.user.cloud.log {
                let text = "\(entry)"
                #expect(!text.contains(token.prefix(40)) && !text.contains(secret.prefix(40)), "\(text)")
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `a download ends with the record, its zone and its content`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp) { client in
            var album = client
            album.zone = "Album"
            _ = await client.user.post("private/zones/modify", Bodies.zone("create", "Album"))
            for name in ["kept", "deleted", "changed"] { try await album.keep(Array(name.utf8), in: name) }
            var paths: [String: String] = [:]
            for name in ["kept", "deleted", "changed"] { paths[name] = try await album.downloadPath(name) }
            try await album.keep([9], in: "changed")
            _ = await client.user.post("private/records/modify", Bodies.delete("deleted", zone: "Album"))
            #expect(await client.download(paths["changed"] ?? "").status == 404)
            #expect(await client.download(paths["deleted"] ?? "").status == 404)
            #expect(await client.download(paths["kept"] ?? "").body == Array("kept".utf8))
            _ = await client.user.post("private/zones/modify", Bodies.zone("delete", "Album"))
            #expect(await client.download(paths["kept"] ?? "").status == 404)
        }
    }

    // MARK: - Rights

    @Test func `only who may save a record may upload for it`() async throws {
        try await withClient { client in
            var anna = client
            anna.database = "public"
            try await anna.keep([1], in: "p1")
            let bert = AssetClient(user: try await client.user.cloud.signIn("bert@example.org"), database: "public")
            let tokens = #"{"tokens":[{"recordName":"p1","recordType":"Photo","fieldName":"photo"}]}"#
            #expect(await bert.user.post("public/assets/upload", tokens).isRefusal("ACCESS_DENIED"))
            let nobody = "/database/1/\(TestCloud.container)/development/public/assets/upload?ckAPIToken="
            let answer = await client.user.cloud.request("POST", nobody + TestCloud.apiToken(), json: tokens)
            #expect(answer.isRefusal("AUTHENTICATION_REQUIRED"))
            let elsewhere =
                #"{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"\#(client.user.name)"},"#
                + tokens.dropFirst()
            #expect(await bert.user.post("private/assets/upload", elsewhere).isRefusal("ZONE_NOT_FOUND"))
            #expect(await bert.user.post("shared/assets/upload", elsewhere).isRefusal("ZONE_NOT_FOUND"))
            // Each database has zones of its own.
            #expect(await client.user.post("public/assets/upload", elsewhere).isRefusal("ZONE_NOT_FOUND"))
            #expect(await client.user.post("shared/assets/upload", elsewhere).isRefusal("ZONE_NOT_FOUND"))
            #expect(await client.user.post("private/assets/upload", elsewhere).status == 200)
            let theirs = elsewhere.replacing("tokens", with: "assets")
            #expect(await bert.user.post("private/assets/rereference", theirs).isRefusal("ZONE_NOT_FOUND"))
            // Everybody may read what is public.
            let found = await bert.download(try await bert.downloadPath("p1"))
            #expect(found.body == [1])
        }
    }

    // MARK: - Limits

    @Test(arguments: CloudSetUp.ways)
    func `a file of the limit is taken and one of a byte more is answered 413, in every form`(on setUp: CloudSetUp)
        async throws
    {
        var limits = CloudLimits()
        limits.assetBytes = 100_000
        try await withClient(on: setUp, limits: limits) { client in
            let largest = [UInt8](repeating: 7, count: 100_000)
            for type in ["application/octet-stream", "multipart/form-data; boundary=xyz"] {
                let isForm = type.hasPrefix("multi")
                let path = try await client.uploadPath("p1")
                let taken = await client.send(isForm ? AssetClient.form(largest) : largest, to: path, type: type)
                #expect(taken.status == 200)
                let refused = await client.send(
                    isForm ? AssetClient.form(largest + [7]) : largest + [7], to: path, type: type)
                #expect(refused.status == 413 && String(decoding: refused.body, as: UTF8.self).contains("100000"))
            }
            #expect(try client.user.cloud.assetFiles().whole.count == 1)
        }
    }

    @Test func `two hundred uploads in one request are the most`() async throws {
        try await withClient { client in
            func tokens(_ count: Int) -> String {
                let token = #"{"recordType":"Photo","fieldName":"photo"}"#
                return #"{"tokens":[\#(Array(repeating: token, count: count).joined(separator: ","))]}"#
            }
            let most = await client.user.post("private/assets/upload", tokens(200))
            #expect(most.status == 200 && most.body.split(separator: "recordName").count == 201)
            #expect(
                await client.user.post("private/assets/upload", tokens(201)).isRefusal("BAD_REQUEST", naming: "200"))
            let entry = #"{"recordName":"n","fieldName":"photo"}"#
            func entries(_ count: Int) -> String {
                #"{"assets":[\#(Array(repeating: entry, count: count).joined(separator: ","))]}"#
            }
            #expect(await client.user.post("private/assets/rereference", entries(200)).status == 200)
            #expect(await client.user.post("private/assets/rereference", entries(201)).status == 400)
        }
    }

    @Test(arguments: [
        #"{"tokens":[{"recordName":"_x","recordType":"Photo","fieldName":"photo"}]}"#,
        #"{"tokens":[{"recordName":"x","recordType":"no type","fieldName":"photo"}]}"#,
        #"{"tokens":[{"recordName":"x","recordType":"Photo","fieldName":"1"}]}"#,
        #"{"tokens":[{"recordName":"x","recordType":"Photo"}]}"#, #"{"tokens":3}"#, "{}",
    ])
    func `an upload for what cannot be is refused`(json: String) async throws {
        try await withClient { client in
            #expect(await client.user.post("private/assets/upload", json).isRefusal("BAD_REQUEST"))
        }
    }

    // MARK: - Broken uploads

    private struct CutBody: HTTPBodyStream {
        func next() async throws(HTTPBodyError) -> [UInt8]? { throw HTTPBodyError("cut") }
    }

    @Test func `an upload that is cut leaves nothing`() async throws {
        try await withClient { client in
            var request = HTTPRequest(method: "POST", target: try await client.uploadPath("p1"))
            request.stream = CutBody()
            #expect(await client.user.cloud.service.respond(to: request).status == 400)
            #expect(try client.user.cloud.assetFiles().whole == [])
        }
    }

    @Test(arguments: [
        "", "--xyz--\r\n", "--xyz\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\nabc",
        "--xyz\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nabc\r\n--xyz--\r\n",
        "--xyz junk\r\n\r\n\r\n--xyz--",
        "--xyz\r\n" + String(repeating: "a", count: 20_000),
        "--xyz\r\nContent-Disposition: form-data; name=files\r\n\r\na\r\n--xyz\r\n"
            + "Content-Disposition: form-data; name=files\r\n\r\nb\r\n--xyz--",
    ])
    func `a form without one whole file is refused`(form: String) async throws {
        try await withClient { client in
            let answer = await client.send(
                Array(form.utf8), to: try await client.uploadPath("p1"), type: "multipart/form-data; boundary=xyz")
            #expect(answer.status == 400)
            #expect(try client.user.cloud.assetFiles().whole == [])
            let bare = await client.send([1], to: try await client.uploadPath("p1"), type: "multipart/form-data")
            #expect(bare.status == 400)
        }
    }
}
