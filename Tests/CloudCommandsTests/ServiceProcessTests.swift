import Foundation
import Glibc
import HTTPClient
import HTTPCore
import SQLCore
import SQLiteDriver
import Testing

@Suite(.serialized) struct ServiceProcessTests {
    @Test func `dev says where it listens, answers, and ends with code 0 when asked to`() async throws {
        let folder = try TemporaryFolder()
        let service = try CommandProcess(["dev", "--port", "0"], folder: folder)
        let address = try await service.address()
        #expect(address.hasPrefix("http://127.0.0.1:"))
        let health = HTTPRequest(method: "GET", target: address + "/cumulet/1/health")
        #expect(try await CurlTransport().send(health, timeout: .seconds(20)).status == 200)
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    @Test func `a body over 16 MiB is refused in the protocol's form and the service lives on`() async throws {
        let folder = try TemporaryFolder()
        let service = try CommandProcess(["dev", "--port", "0"], folder: folder)
        let address = try await service.address()
        let large = HTTPRequest(
            method: "POST",
            target: address + "/database/1/iCloud.a/development/public/records/query?ckAPIToken="
                + String(repeating: "ab", count: 32),
            body: [UInt8](repeating: 32, count: 17 * 1_048_576))
        let answer = try await CurlTransport().send(large, timeout: .seconds(30))
        #expect(answer.status == 413)
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("\"serverErrorCode\":\"BAD_REQUEST\"") && text.contains("16777216"))
        let health = HTTPRequest(method: "GET", target: address + "/cumulet/1/health")
        #expect(try await CurlTransport().send(health, timeout: .seconds(20)).status == 200)
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
        #expect(second.output.isEmpty)
        #expect(second.log == "cumulet: the folder \(data) is in use by another process\n")

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

    @Test func `a folder of a newer format is refused by name and left as it is`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let made = try await CommandProcess.run(
            "container", "create", "iCloud.org.example.a", "--data", data, folder: folder)
        #expect(made.code == 0, "\(made.log)")
        let database = try SQLiteDatabase(path: data + "/cumulet.sqlite").connect()
        let known = try #require(try database.first("SELECT number FROM format") { $0.integer(0) })
        try database.execute("UPDATE format SET number = ?1", .integer(known + 90))
        database.close()
        for words in [
            ["serve", "--port", "0", "--data", data], ["dev", "--port", "0", "--data", data],
            ["container", "create", "iCloud.org.example.b", "--data", data],
        ] {
            let refused = try CommandProcess(words, folder: folder)
            #expect(await refused.line().isEmpty)
            #expect(await refused.end() == 1)
            #expect(refused.log.contains(data), "\(refused.log)")
            #expect(
                refused.log.contains("format \(known + 90)") && refused.log.contains("up to \(known)"), "\(refused.log)"
            )
        }
        let after = try SQLiteDatabase(path: data + "/cumulet.sqlite").connect()
        #expect(try after.first("SELECT number FROM format") { $0.integer(0) } == known + 90)
        #expect(try after.first("SELECT count(*) FROM container") { $0.integer(0) } == 1)
        after.close()
    }

    @Test func `serve takes strict web tokens and the address in front of it`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let password = ["CUMULET_PASSWORD": "correct horse", "CUMULET_DEVICE": folder.path("phone")]
        let service = try CommandProcess(
            ["serve", "--port", "0", "--data", data, "--strict-web-tokens", "--url", "https://cloud.example.org/"],
            folder: folder)
        let address = try await service.address()
        for words in [["account", "add", "alice@example.com"], ["container", "create", "iCloud.org.example.a"]] {
            let made = try CommandProcess(words + ["--data", data], environment: password, folder: folder)
            #expect(await made.end() == 0, "\(made.log)")
        }
        let token = try await CommandProcess.run(
            "token", "create", "--container", "iCloud.org.example.a", "--data", data, folder: folder
        ).output.trimmingCharacters(in: .newlines)
        func post(_ path: String, _ json: String) async throws -> HTTPResponse {
            try await CurlTransport().send(
                HTTPRequest(method: "POST", target: address + path, body: Array(json.utf8)), timeout: .seconds(20))
        }
        func value(_ key: String, in response: HTTPResponse) throws -> String {
            let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
            return try #require(object?[key] as? String, "\(String(decoding: response.body, as: UTF8.self))")
        }
        let session = try value(
            "deviceSession",
            in: try await post(
                "/cumulet/1/sign-in",
                #"{"emailAddress":"alice@example.com","password":"correct horse","deviceID":"d","deviceName":"d"}"#))
        let web = try value(
            "ckWebAuthToken",
            in: try await post(
                "/cumulet/1/web-token",
                #"{"deviceSession":"\#(session)","container":"iCloud.org.example.a","environment":"development"}"#))
        let path = "/database/1/iCloud.org.example.a/development/private/zones/list?ckAPIToken=\(token)&ckWebAuthToken="
        let escaped = web.replacingOccurrences(of: "+", with: "%2B")
        #expect(try await post(path + escaped, "{}").status == 200)
        #expect(try await post(path + escaped, "{}").status == 401)
        let page = try value("redirectURL", in: try await post(String(path.dropLast("&ckWebAuthToken=".count)), "{}"))
        #expect(page.hasPrefix("https://cloud.example.org/cumulet/1/auth/sign-in?"))
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    @Test func `wrong usage ends with code 64 and the usage on standard error`() async throws {
        let folder = try TemporaryFolder()
        let result = try await CommandProcess.run("serve", folder: folder)
        #expect(result.code == 64)
        #expect(result.output.isEmpty)
        #expect(
            result.log.hasPrefix(
                "cumulet: where to keep the data is missing: --data DIR, or --store URL with --assets DIR\n"
                    + "usage: cumulet serve "))
        for address in ["cloud.example.org", "ftp://cloud.example.org", "https://cloud.example.org/a?b"] {
            let wrong = try await CommandProcess.run(
                "serve", "--data", folder.path("data"), "--url", address, folder: folder)
            #expect(wrong.code == 64 && wrong.log.contains("'\(address)' is not a value for --url"))
        }
    }
}
