import DatabaseTestSupport
import Foundation
import Glibc
import Testing

struct StorePlaceTests {
    private static let closed = "postgresql://cumulet:s3cret@127.0.0.1:1/cumulet"

    @Test(arguments: [
        (["serve", "--data", "d", "--store", closed], "--data and --store exclude each other"),
        (["dev", "--memory", "--store", closed, "--assets", "a"], "--store and --memory exclude each other"),
        (["serve", "--store", closed], "a database needs --assets DIR for the files of assets"),
        (["serve", "--data", "d", "--assets", "a"], "--assets goes with --store"),
        (["serve", "--data", closed], "--data names a folder; the address of a database goes with --store"),
        (["serve", "--store", "s3cret", "--assets", "a"], "--store: the PostgreSQL address cannot be read"),
        (["serve", closed], "unexpected argument (not shown: it looks like an address)"),
        (["container", "create", "iCloud.a", "--data", "d", "--store", closed], "exclude each other"),
    ])
    func `where the data is must be said once and fully, and what is said is not repeated`(
        words: [String], message: String
    ) async throws {
        let folder = try TemporaryFolder()
        let refused = try CommandProcess(words, folder: folder)
        #expect(await refused.end() == 64)
        #expect(refused.log.hasPrefix("cumulet: ") && refused.log.contains(message), "\(refused.log)")
        #expect(!refused.log.contains("s3cret"), "\(refused.log)")
    }

    @Test func `the variables of a folder and of a database exclude each other, and help does not show them`()
        async throws
    {
        let folder = try TemporaryFolder()
        let both = ["CUMULET_STORE": Self.closed, "CUMULET_DATA": folder.path("data")]
        let refused = try await CommandProcess.run(
            "container", "create", "iCloud.a", environment: both, folder: folder)
        #expect(refused.code == 64)
        #expect(refused.log.contains("CUMULET_DATA and CUMULET_STORE exclude each other"))
        let made = try await CommandProcess.run(
            "container", "create", "iCloud.a", "--data", folder.path("data"), environment: both, folder: folder)
        #expect(made.code == 0, "\(made.log)")
        let help = try await CommandProcess.run("serve", "--help", environment: both, folder: folder)
        #expect(help.code == 0 && help.output.contains("CUMULET_STORE") && !help.output.contains("s3cret"))
    }

    @Test(arguments: [
        ["serve", "--port", "0", "--assets", "assets"], ["dev", "--port", "0", "--assets", "assets"],
        ["container", "create", "iCloud.a"],
    ])
    func `a database that cannot be reached is named with the cause, without its password`(words: [String])
        async throws
    {
        let folder = try TemporaryFolder()
        let words = words.map { $0 == "assets" ? folder.path($0) : $0 }
        let refused = try CommandProcess(words + ["--store", Self.closed], folder: folder)
        #expect(await refused.line().isEmpty)
        #expect(await refused.end() == 1)
        for part in ["postgresql://cumulet@127.0.0.1:1/cumulet", "port 1", "refused"] {
            #expect(refused.log.contains(part), "\(refused.log)")
        }
        #expect(!refused.log.contains("s3cret"))
    }

    @Test func `an asset folder that others may enter, or that is none, is refused by name`() async throws {
        let folder = try TemporaryFolder()
        let (open, file) = (folder.path("open"), folder.path("file"))
        #expect(mkdir(open, 0o700) == 0 && chmod(open, 0o750) == 0)
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        for (path, reason) in [(open, "chmod 700"), (file, "not a folder"), (file + "/below", "cannot make")] {
            let refused = try await CommandProcess.run(
                "serve", "--store", Self.closed, "--assets", path, folder: folder)
            #expect(refused.code == 1)
            #expect(refused.log.contains(file) || refused.log.contains(open), "\(refused.log)")
            #expect(refused.log.contains(reason), "\(refused.log)")
        }
    }

    @Test(.enabled(if: PostgresTestDatabase.address != nil))
    func `a service on PostgreSQL takes its password from the environment and what commands make beside it`()
        async throws
    {
        let folder = try TemporaryFolder()
        let test = try PostgresTestDatabase()
        var address = try #require(URLComponents(string: test.ownAddress))
        let password = try #require(address.password)
        let passwords = folder.path("pgpass")
        _ = FileManager.default.createFile(
            atPath: passwords, contents: Data("*:*:*:*:\(password)\n".utf8), attributes: [.posixPermissions: 0o600])
        address.password = nil
        let store = try #require(address.string)
        let environment = [
            "CUMULET_STORE": store, "PGPASSFILE": passwords, "CUMULET_PASSWORD": "correct horse",
            "CUMULET_DEVICE": folder.path("phone"),
        ]
        for words in [["account", "add", "alice@example.com"], ["container", "create", "iCloud.org.example.a"]] {
            let made = try CommandProcess(words, environment: environment, folder: folder)
            #expect(await made.end() == 0, "\(made.log)")
        }
        let assets = folder.path("new/assets")
        let service = try CommandProcess(
            ["serve", "--port", "0", "--assets", assets], environment: environment, folder: folder)
        let server = try await service.address()
        let mode = try FileManager.default.attributesOfItem(atPath: assets)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let token = try await CommandProcess.run(
            "token", "create", "--container", "iCloud.org.example.a", environment: environment, folder: folder)
        #expect(token.output.count == 65, "\(token.log)")
        let login = try await CommandProcess.run(
            "login", "alice@example.com", "--server", server, environment: environment, folder: folder)
        #expect(login.code == 0, "\(login.log)")
        let wrong = try await CommandProcess.run(
            "container", "create", "iCloud.org.example.b", "--store", store, environment: ["PGPASSWORD": "s3cret"],
            folder: folder)
        #expect(wrong.code == 1 && wrong.log.contains("password authentication failed"), "\(wrong.log)")
        #expect(!wrong.log.contains("s3cret"))
        service.send(SIGTERM)
        #expect(await service.end() == 0)
        #expect(!service.log.contains(password))
        try test.remove()
    }
}
