import CloudCrypto
import CloudTestSupport
import Foundation
import Glibc
import HTTPClient
import HTTPCore
import ProcessTestSupport
import Testing

@testable import CloudCommands

/// A stage that runs, with a program for an app that shows nothing and does what it is told.
@Suite struct `A stage` {
    private let folder: TemporaryFolder
    private let app: String

    init() throws {
        folder = try TemporaryFolder()
        app = folder.path("app")
        // It says where it is as an app does, and dies of a word.
        try Self.write(
            """
            #!/bin/sh
            echo "started on $(basename "$CUMULET_DEVICE")"
            echo "showing on http://127.0.0.1:1/?token=$CUMULET_VIEW_TOKEN"
            while read -r word; do
              echo "told: $word"
              if [ "$word" = online ]; then kill -9 $$; fi
            done
            """, to: app)
    }

    private static func write(_ script: String, to path: String) throws {
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    /// Starts a stage, with a service of the test's own, so that no other of this machine is found.
    private func stage(preparedBy script: String? = nil, port: UInt16 = 0) async throws -> (
        stage: CommandProcess, service: CommandProcess
    ) {
        let service = try CommandProcess(["dev", "--port", "0", "--memory"], folder: folder)
        var words = ["stage", app, "--data", folder.path("stage"), "--devices", "phone:alice"]
        words += ["--server", try await service.address(), "--port", String(port)]
        if let script {
            try Self.write(script, to: folder.path("prepare"))
            words += ["--prepare", folder.path("prepare")]
        }
        return (try CommandProcess(words, folder: folder), service)
    }

    @Test func `ends well when it is told to while it prepares`() async throws {
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let (stage, service) = try await stage(preparedBy: "#!/bin/sh\necho begun > '\(pipe)'; exec sleep 600\n")
        // To open the pipe is to wait for the preparation to be at work.
        let begun = await blocking {
            let file = open(pipe, O_RDONLY)
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 16)
            return read(file, &bytes, bytes.count)
        }
        #expect(begun == 6)
        stage.send(SIGTERM)
        #expect(await stage.end() == 0, "\(stage.log)")
        service.send(SIGTERM)
    }

    @Test func `does not start when the preparation fails, and says its last words`() async throws {
        let (stage, service) = try await stage(preparedBy: "#!/bin/sh\necho there is no flour; exit 3\n")
        #expect(await stage.end() == 1)
        #expect(stage.log.contains("the devices could not be prepared: 'prepare' ended with code 3: there is no flour"))
        service.send(SIGTERM)
    }

    @Test func `says what to do when its port is taken`() async throws {
        let other = try CommandProcess(["dev", "--port", "0", "--memory"], folder: folder)
        let port = try #require(URL(string: try await other.address())?.port)
        let (stage, service) = try await stage(port: UInt16(port))
        #expect(await stage.end() == 1)
        #expect(stage.log.contains("port \(port) is taken"))
        #expect(stage.log.contains("--port (0 takes a free one)"))
        for process in [other, service] { process.send(SIGTERM) }
    }

    @Test func `sees an app die, starts it again, and keeps what it said before`() async throws {
        let (stage, service) = try await stage()
        let page = try await StageVisitor(entering: String(await stage.line().dropFirst("stage on ".count)))
        #expect(try await page.devices().map(\.isRunning) == [true])

        _ = try await page.ask("POST", "/devices/phone/online")
        try await page.wait { $0.first?.isRunning == false }
        let refused = try await page.ask("POST", "/devices/phone/open", "https://example.com/share/0")
        #expect(refused.status == 409)
        #expect(try await page.ask("POST", "/devices/phone/restart").status == 200)
        #expect(try await page.devices().map(\.isRunning) == [true])

        let log = String(decoding: try await page.ask("GET", "/devices/phone/log").body, as: UTF8.self)
        let lines = log.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0 == "started on phone" }.count == 2)
        #expect(lines.contains("--- ended by signal 9 ---"))
        let restart = try #require(lines.firstIndex { $0.hasPrefix("--- started again at ") })
        #expect(lines[..<restart].contains("told: online"))
        stage.send(SIGTERM)
        #expect(await stage.end() == 0)
        service.send(SIGTERM)
    }
}

/// Who looks at a stage's page and presses its buttons.
struct StageVisitor {
    private let origin: String
    private let cookie: String

    /// - Parameter address: The page's, with the token, which becomes a cookie.
    init(entering address: String) async throws {
        let parts = address.split(separator: "/?token=")
        let port = try #require(URL(string: address)?.port)
        origin = String(parts[0])
        let client = RawClient(port: UInt16(port))
        defer { client.leave() }
        client.send("GET /?token=\(parts[1]) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let answer = await blocking { client.answer() }
        cookie = String(try #require(answer?.headers["Set-Cookie"]).prefix { $0 != ";" })
    }

    func ask(_ method: String, _ path: String, _ body: String = "") async throws -> HTTPResponse {
        let request = HTTPRequest(
            method: method, target: origin + path,
            headers: ["Cookie": cookie, "Origin": origin, "Content-Type": "application/json"], body: Array(body.utf8))
        return try await CurlTransport().send(request, timeout: .seconds(60))
    }

    func devices() async throws -> [Stage.Status] {
        try JSONDecoder().decode([Stage.Status].self, from: Data(try await ask("GET", "/devices").body))
    }

    /// Asks until it is so, as the page does.
    func wait(until isSo: ([Stage.Status]) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isSo(try await devices()) {
            guard ContinuousClock.now < end else { throw Failure("the stage did not come to it") }
            await Task.yield()
        }
    }
}
