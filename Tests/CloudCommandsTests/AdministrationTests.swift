import CloudTestSupport
import Foundation
import Glibc
import HTTPClient
import HTTPCore
import Testing

@Suite(.serialized) struct AdministrationTests {
    @Test func `who has no credentials is refused before his body is taken`() async throws {
        let folder = try TemporaryFolder()
        let service = try CommandProcess(["dev", "--port", "0"], folder: folder)
        let address = try await service.address()
        let client = RawClient(port: try #require(address.split(separator: ":").last.flatMap { UInt16($0) }))
        client.send(
            "POST /database/1/iCloud.a/development/public/records/query HTTP/1.1\r\nHost: a\r\n"
                + "Content-Length: 10000000\r\nExpect: 100-continue\r\n\r\n")
        let answer = client.answer()
        let text = String(decoding: answer?.body ?? [], as: UTF8.self)
        #expect(answer?.status == 400 && text.contains("no credentials"))
        client.leave()
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    @Test func `limits are set by the command line, and wrong ones are refused by name`() async throws {
        let folder = try TemporaryFolder()
        let listed = try await CommandProcess.run("limits", folder: folder)
        #expect(listed.code == 0 && listed.output.contains("recordBytes") && listed.output.contains("1048576"))
        for (text, reason) in [("no=1", "there is no limit 'no'"), ("recordBytes=x", "'x' is not a value")] {
            let wrong = try await CommandProcess.run("dev", "--port", "0", "--limit", text, folder: folder)
            #expect(wrong.code == 64 && wrong.log.contains(reason), "\(wrong.log)")
        }
        let service = try CommandProcess(
            ["dev", "--port", "0", "--limit", "requestBytes=1K", "--limit", "requestBurst=7"], folder: folder)
        let large = HTTPRequest(
            method: "POST", target: try await service.address() + "/cumulet/1/sign-in",
            body: [UInt8](repeating: 32, count: 1025))
        #expect(try await CurlTransport().send(large, timeout: .seconds(20)).status == 413)
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    @Test func `accounts and keys are managed while the service runs and while it rests`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let key = folder.path("key.pem")
        let pem = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWF0b00Qfi6UMDfF+fexxLUIPSQ+k
            2798vb8Zb9a/w6KTENW56bQa4RVtR5mM6AuGNoEmAhNjp+ealvZDVkirtQ==
            -----END PUBLIC KEY-----

            """
        try pem.write(toFile: key, atomically: true, encoding: .utf8)
        func run(_ words: String...) async throws -> (code: Int32, output: String, log: String) {
            try await CommandProcess.run(
                words + ["--data", data], environment: ["CUMULET_PASSWORD": "correct horse"], folder: folder)
        }
        for isRunning in [false, true] {
            let service =
                isRunning ? try CommandProcess(["serve", "--port", "0", "--data", data], folder: folder) : nil
            if let service { _ = try await service.address() }
            let id = "iCloud.org.example.\(isRunning)"
            let email = "ann-\(isRunning)@example.org"
            #expect(try await run("container", "create", id).code == 0)
            let added = try await run("key", "add", "--container", id, "--name", "import", key)
            let keyID = added.output.filter { $0 != "\n" }
            #expect(added.code == 0 && keyID.count == 64, "\(added.log)")
            let listed = try await run("key", "list", "--container", id)
            #expect(listed.output.contains(keyID) && listed.output.contains("import"))
            #expect(try await run("key", "revoke", keyID).code == 0)
            #expect(try await run("key", "revoke", keyID).code == 1)

            let phone = isRunning ? "+49 170 1234567" : "+49 170 7654321"
            let account = try await run(
                "account", "add", email, "--given-name", "Ann", "--phone", phone, "--discoverable")
            #expect(account.code == 0, "\(account.log)")
            #expect(try await run("account", "set", email, "--family-name", "Lee", "--phone", "-").code == 0)
            #expect(try await run("account", "disable", email).code == 0)
            let row = try await run("account", "list").output.split(separator: "\n").first { $0.hasPrefix(email) }
            #expect(row?.split(separator: " ").dropLast().joined(separator: " ") == "\(email) - Ann Lee disabled yes")
            #expect(try await run("account", "enable", email).code == 0)
            let kept = try await run("account", "purge", email, "--container", id)
            #expect(kept.code == 1 && kept.log.contains("--yes"), "\(kept.log)")
            let purged = try await run("account", "purge", email, "--container", id, "--yes")
            #expect(purged.code == 0 && purged.output.contains("erased"), "\(purged.log)")
            let elsewhere = try await run("account", "purge", email, "--container", "iCloud.no", "--yes")
            #expect(elsewhere.code == 1 && elsewhere.log.contains("iCloud.no"), "\(elsewhere.log)")
            let unasked = try await run("account", "remove", email)
            #expect(unasked.code == 1 && unasked.log.contains("--yes"), "\(unasked.log)")
            #expect(try await run("account", "remove", email, "--yes").code == 0)
            #expect(try await !run("account", "list").output.contains(email))
            service?.send(SIGTERM)
            if let service { #expect(await service.end() == 0) }
        }
    }

    @Test func `a private key is not taken for a public one`() async throws {
        let folder = try TemporaryFolder()
        let key = folder.path("key.pem")
        try "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n".write(
            toFile: key, atomically: true, encoding: .utf8)
        let refused = try await CommandProcess.run(
            "key", "add", "--container", "iCloud.a", "--data", folder.path("data"), key, folder: folder)
        #expect(refused.code == 1 && refused.log.contains("private key") && refused.log.contains("-pubout"))
        let missing = try await CommandProcess.run(
            "key", "add", "--container", "iCloud.a", "--data", folder.path("data"), folder.path("none"), folder: folder)
        #expect(missing.code == 1 && missing.log.contains("cannot be read"))
    }
}
