import DatabaseTestSupport
import Foundation
import PostgresDriver
import SQLCore
import Testing

@Suite struct `An address of PostgreSQL` {
    private static let secret = "s3cr3t"

    @Test(arguments: [
        "postgresql://ann:\(secret)@db.example:6000/app?sslmode=require",
        "postgres://ann:\(secret)@db.example:6000/app",
        "host=db.example port=6000 user=ann password=\(secret) dbname=app",
        "postgresql://db.example:6000/app?user=ann&password=\(secret)",
    ])
    func `it is described without its password`(_ address: String) throws {
        let database = try PostgresDatabase(address)
        #expect(String(describing: database) == "postgresql://ann@db.example:6000/app")
        var dumped = ""
        dump(database, to: &dumped)
        for text in [String(reflecting: database), "\([database])", dumped] { #expect(!text.contains(Self.secret)) }
    }

    @Test(arguments: [
        "postgresql://ann:\(secret)/x@db.example/app", "postgresql://ann:\(secret)@x@db.example/app",
        "postgresql://ann:\(secret)?x@db.example/app", "postgresql://ann:\(secret)%zz@db.example/app",
        "postgresql://ann:\(secret)@[::1/app", "postgresql://ann:\(secret)@db.example/app?nonsense=1",
        "host=db.example password=a \(secret) user=ann", "host=db.example password='\(secret)",
        "pasword=\(secret)", secret,
    ])
    func `one that cannot be read is refused without quoting it`(_ address: String) {
        let error = #expect(throws: SQLError.self) { try PostgresDatabase(address) }
        #expect(error?.kind == .misuse)
        #expect(error?.message.contains(Self.secret) == false)
        #expect(error?.statement == nil)
    }

    @Test(arguments: [
        "postgresql:///app", "postgresql://localhost", "postgresql://[::1]:5432/app", "postgresql://a,b:1,c/app",
        "postgresql://%2Frun%2Fpostgresql/app?user=ann@example", "postgresql://ann:a%40b%2Fc@h/app", "dbname=app", "",
    ])
    func `every form that libpq reads is taken`(_ address: String) throws { _ = try PostgresDatabase(address) }

    @Test(.enabled(if: PostgresTestDatabase.address != nil))
    func `passwords come from a file, and a missing one is asked for`() throws {
        let address = try #require(PostgresTestDatabase.address)
        var parts = try #require(URLComponents(string: address))
        let password = try #require(parts.password)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "passwords")
        parts.password = nil
        parts.queryItems = [URLQueryItem(name: "passfile", value: file.path)]
        let database = try PostgresDatabase(try #require(parts.string))
        let missing = #expect(throws: SQLError.self) { try database.open() }
        #expect(missing?.kind == .misuse)
        #expect(missing?.message.contains("PGPASSFILE") == true)
        try "*:*:*:*:\(password)\n".write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let connection = try database.open()
        connection.close()
        parts.password = "wrong-\(password)"
        let refused = #expect(throws: SQLError.self) { try PostgresDatabase(try #require(parts.string)).open() }
        #expect(refused?.message.contains(password) == false)
    }
}
