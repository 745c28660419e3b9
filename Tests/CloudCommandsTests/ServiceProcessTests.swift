import Foundation
import Glibc
import HTTPClient
import HTTPCore
import Testing

@Suite(.serialized) struct ServiceProcessTests {
    @Test func `dev says where it listens, answers, and ends with code 0 when asked to`() async throws {
        let folder = try TemporaryFolder()
        let service = try CommandProcess(["dev", "--port", "0"], folder: folder)
        let address = try await service.address()
        #expect(address.hasPrefix("http://127.0.0.1:"))
        let health = HTTPRequest(method: "GET", target: address + "/cumulet/1/health")
        #expect(try await URLSessionTransport().send(health, timeout: .seconds(20)).status == 200)
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    @Test func `a body over 16 MiB is refused in the protocol's form and the service lives on`() async throws {
        let folder = try TemporaryFolder()
        let service = try CommandProcess(["dev", "--port", "0"], folder: folder)
        let address = try await service.address()
        let large = HTTPRequest(
            method: "POST", target: address + "/database/1/iCloud.a/development/public/records/query",
            body: [UInt8](repeating: 32, count: 17 * 1_048_576))
        let answer = try await URLSessionTransport().send(large, timeout: .seconds(30))
        #expect(answer.status == 413)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("\"serverErrorCode\":\"BAD_REQUEST\"") && text.contains("16777216"))
        let health = HTTPRequest(method: "GET", target: address + "/cumulet/1/health")
        #expect(try await URLSessionTransport().send(health, timeout: .seconds(20)).status == 200)
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    @Test func `a device signs in, tells who it is, and signs out`() async throws {
        let folder = try TemporaryFolder()
        let service = try CommandProcess(["dev", "--port", "0"], folder: folder)
        let address = try await service.address()
        let device = ["CUMULET_DEVICE": folder.path("phone")]
        let nobody = try await CommandProcess.run("whoami", environment: device, folder: folder)
        #expect(nobody.code == 1)
        let login = try await CommandProcess.run(
            "login", "alice@example.com", "--server", address, environment: device, folder: folder)
        #expect(login.code == 0, "\(login.log)")
        let whoami = try await CommandProcess.run("whoami", environment: device, folder: folder)
        #expect(whoami.output == "alice@example.com at \(address)\n")
        #expect(try await CommandProcess.run("logout", environment: device, folder: folder).code == 0)
        #expect(try await CommandProcess.run("whoami", environment: device, folder: folder).code == 1)
    }

    @Test
    func
        `serve refuses a folder in use, and takes accounts, containers and tokens while it runs and while it rests`()
        async throws
    {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let password = ["CUMULET_PASSWORD": "correct horse"]
        let resting = try await CommandProcess.run(
            "account", "add", "alice@example.com", "--data", data, environment: password, folder: folder)
        #expect(resting.code == 0, "\(resting.log)")

        let service = try CommandProcess(["serve", "--port", "0", "--data", data], folder: folder)
        let address = try await service.address()
        let mode = try FileManager.default.attributesOfItem(atPath: data)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let database = try FileManager.default.attributesOfItem(atPath: data + "/cumulet.sqlite")
        #expect(database[.posixPermissions] as? Int == 0o600)
        let second = try await CommandProcess.run("serve", "--port", "0", "--data", data, folder: folder)
        #expect(second.code == 1)
        #expect(second.log.contains("in use by another process"))

        let twice = try await CommandProcess.run(
            "account", "add", "alice@example.com", "--data", data, environment: password, folder: folder)
        #expect(twice.code == 1)
        #expect(twice.log.contains("exists"))
        let container = try await CommandProcess.run(
            "container", "create", "iCloud.org.example.a", "--data", data, folder: folder)
        #expect(container.code == 0, "\(container.log)")
        let token = try await CommandProcess.run(
            "token", "create", "--container", "iCloud.org.example.a", "--data", data, folder: folder)
        #expect(token.code == 0, "\(token.log)")
        #expect(token.output.count == 65)

        var device = ["CUMULET_DEVICE": folder.path("phone"), "CUMULET_PASSWORD": "wrong"]
        let login = ["login", "alice@example.com", "--server", address]
        #expect(try await CommandProcess(login, environment: device, folder: folder).end() == 1)
        device["CUMULET_PASSWORD"] = "correct horse"
        #expect(try await CommandProcess(login, environment: device, folder: folder).end() == 0)
        // A refused sign-in leaves the device signed in; a new one ends the session before.
        device["CUMULET_PASSWORD"] = "wrong"
        #expect(try await CommandProcess(login, environment: device, folder: folder).end() == 1)
        #expect(!service.log.contains(" sign-out "))
        device["CUMULET_PASSWORD"] = "correct horse"
        #expect(try await CommandProcess(login, environment: device, folder: folder).end() == 0)
        #expect(service.log.contains(" sign-out 200 "))
        service.send(SIGINT)
        #expect(await service.end() == 0)
    }

    @Test func `wrong usage ends with code 64 and the usage on standard error`() async throws {
        let folder = try TemporaryFolder()
        let result = try await CommandProcess.run("serve", folder: folder)
        #expect(result.code == 64)
        #expect(result.output.isEmpty)
        #expect(result.log.hasPrefix("cumulet: the option --data is missing\nusage: cumulet serve "))
    }
}
