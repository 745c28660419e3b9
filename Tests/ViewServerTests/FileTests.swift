import Foundation
import HTTPCore
import Testing
import ViewGraph
import ViewServer

@Suite struct FileTests {
    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "view-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }

    @Test func `a registered file is served with its type, and runs nothing`() async throws {
        let shelf = FileShelf()
        let served = try await ServedApp { $0.files = shelf }
        let picture = try file("a b", [0x89, 0x50, 0x4E, 0x47, 1, 2, 3])
        let page = try file("page.html", Array("<script>alert(1)</script>".utf8))
        let answer = await served.send("GET", shelf.address(of: picture))
        #expect(answer?.body == [0x89, 0x50, 0x4E, 0x47, 1, 2, 3])
        #expect(answer?.headers["Content-Type"] == "image/png")
        #expect(answer?.headers["X-Content-Type-Options"] == "nosniff")
        #expect(answer?.headers["Content-Security-Policy"]?.contains("sandbox") == true)
        let kept = await served.send("GET", shelf.address(of: page))
        #expect(kept?.headers["Content-Type"] == "application/octet-stream")
        #expect(kept?.headers["Content-Disposition"] == "attachment")
        #expect(shelf.address(of: page) == shelf.address(of: page))
        await served.server.stop()
    }

    @Test func `no other file is served`() async throws {
        let shelf = FileShelf()
        let served = try await ServedApp { $0.files = shelf }
        let known = shelf.address(of: try file("known.txt", [65]))
        let key = known.split(separator: "/")[1]
        for path in [
            "/files/\(key)", "/files/\(key)/../../etc/passwd", "/files//etc/passwd", "/files/%2e%2e/passwd",
            "/files/0/known.txt",
        ] {
            #expect(await served.send("GET", path)?.status == 404, "\(path)")
        }
        #expect(await served.send("GET", known)?.status == 200)
        #expect(await served.send("GET", known, ["Sec-Fetch-Site": "cross-site"])?.status == 403)
        #expect(await served.send("GET", shelf.address(of: "/tmp"))?.status == 404)
        #expect(await served.send("GET", shelf.address(of: "/dev/zero"))?.status == 404)
        await served.server.stop()
    }

    private func upload(
        _ served: ServedApp, _ life: String, names: String, sizes: String, _ body: String,
        _ more: [String: String?] = [:]
    ) async -> HTTPResponse? {
        let headers: [String: String?] = ["X-File-Name": names, "X-File-Size": sizes, "Content-Type": nil]
        return await served.send(
            "POST", "/files?w=a&c=\(life)&i=n5&x=12&y=-3", headers.merging(more) { $1 }, body: body)
    }

    @Test func `files that are dropped come to the app as paths, and go with the window`() async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        let life = await stream.life()
        let answer = await upload(served, life, names: "..%2F..%2Fevil.txt,b%20c.txt", sizes: "5,3", "helloabc")
        #expect(answer?.status == 204)
        // The next event is handled after the files.
        _ = await served.post(#"[{"i":"n1","t":"click","s":1}]"#, to: "a", life: life)
        _ = await stream.read(until: "count 1")
        let brought = try #require(await served.app.files.first)
        let paths = brought.paths
        #expect(brought.x == 12 && brought.y == -3)
        #expect(paths.map { URL(filePath: $0).lastPathComponent } == ["evil.txt", "2-b c.txt"])
        #expect(try paths.map { try String(contentsOfFile: $0, encoding: .utf8) } == ["hello", "abc"])
        stream.leave()
        await served.server.stop()
        #expect(paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    }

    @Test func `files are bounded, of our page, and for a window that is there`() async throws {
        let served = try await ServedApp { $0.uploadLimit = 10 }
        let stream = await served.stream("a")
        let life = await stream.life()
        #expect(await upload(served, life, names: "a", sizes: "11", "hello world")?.status == 413)
        #expect(await upload(served, life, names: "a,b", sizes: "6,6", "hello")?.status == 413)
        #expect(await upload(served, life, names: "a", sizes: "3", "four")?.status == 400)
        #expect(await upload(served, life, names: "a", sizes: "5", "four")?.status == 400)
        #expect(await upload(served, life, names: "", sizes: "4", "four")?.status == 400)
        #expect(await upload(served, "0", names: "a", sizes: "4", "four")?.status == 410)
        for foreign: [String: String?] in [["Origin": "http://127.0.0.1:1"], ["Cookie": nil], ["X-File-Name": nil]] {
            let status = await upload(served, life, names: "a", sizes: "4", "four", foreign)?.status
            #expect(status == 403 || status == 400)
        }
        #expect(await served.app.files.isEmpty)
        stream.leave()
        await served.server.stop()
    }
}
