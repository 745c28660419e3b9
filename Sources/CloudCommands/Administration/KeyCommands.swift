import CloudCore
import CloudServer
import CloudWire
import Foundation

/// `key add`, `list`, `revoke`: server-to-server keys.
enum KeyCommands {
    static let key = CommandDefinition(
        "key", abstract: "Server-to-server keys of containers.",
        subcommands: [
            CommandDefinition(
                "add", abstract: "Lets a key act in the public database of a container and prints the key's id.",
                discussion: """
                    FILE is the public half in PEM form, on P-256; - reads it from standard input. Make a key with
                    `openssl ecparam -name prime256v1 -genkey -noout -out key.pem`, its public half with
                    `openssl ec -in key.pem -pubout`.
                    """ + Administration.placeNote,
                arguments: [ArgumentDefinition("FILE", help: "the public key, or - for standard input")],
                options: [
                    .option("container", "ID", help: "the container", isRequired: true), Administration.environment,
                    .option("name", "NAME", help: "what the list calls it"), Administration.data, StorePlace.store,
                ], action: add),
            CommandDefinition(
                "list",
                abstract: "Lists the keys: id, container, environment, name, user record name, day of creation.",
                discussion: Administration.placeNote,
                options: [
                    .option("container", "ID", help: "only those of this container"), Administration.data,
                    StorePlace.store,
                ], action: list),
            CommandDefinition(
                "revoke", abstract: "Ends a key: all processes refuse it within two seconds. Its records stay.",
                discussion: Administration.placeNote, arguments: [ArgumentDefinition("ID", help: "the key's id")],
                options: [Administration.data, StorePlace.store], action: revoke),
        ])

    /// A key of P-256 has less than 200 bytes; more is another file.
    private static let largest = 65_536

    @Sendable private static func add(_ values: ArgumentValues) async throws {
        let request = AdminKeyAddRequest(
            container: ContainerID(values.option("container") ?? ""),
            environment: Administration.environment(values), name: values.option("name") ?? "",
            publicKey: try text(of: values.argument("FILE")))
        let key = try await Administration.access(values).perform(.keyAdd, request, as: AdminServerKey.self)
        Terminal.print(key.keyID)
    }

    private static func text(of path: String) throws -> String {
        let file: FileHandle
        if path == "-" {
            file = .standardInput
        } else {
            do {
                file = try FileHandle(forReadingFrom: URL(filePath: path))
            } catch {
                throw Failure("\(path) cannot be read")
            }
        }
        guard let data = try file.read(upToCount: largest), !data.isEmpty,
            let text = String(data: data, encoding: .utf8)
        else { throw Failure("\(path == "-" ? "standard input" : path) has no public key in PEM form") }
        return text
    }

    @Sendable private static func list(_ values: ArgumentValues) async throws {
        let request = AdminKeyListRequest(container: values.option("container").map { ContainerID($0) })
        let answer = try await Administration.access(values).perform(
            .keyList, request, as: AdminKeyListResponse.self)
        let rows = answer.keys.map { key in
            [
                key.keyID, key.container.rawValue, key.environment.rawValue, key.name.isEmpty ? "-" : key.name,
                key.userRecordName, TextTable.day(key.created),
            ]
        }
        Terminal.write(
            TextTable.text(of: [["ID", "CONTAINER", "ENVIRONMENT", "NAME", "USER", "CREATED"]] + rows), to: 1)
    }

    @Sendable private static func revoke(_ values: ArgumentValues) async throws {
        let request = AdminKeyRevokeRequest(keyID: values.argument("ID"))
        _ = try await Administration.access(values).perform(.keyRevoke, request)
        Terminal.print("revoked the key")
    }
}
