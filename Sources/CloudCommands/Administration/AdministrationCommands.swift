import CloudCore
import CloudServer
import CloudStorage
import CloudWire
import Glibc

/// `container create`, `token create`, `token revoke`, `store renew`.
enum AdministrationCommands {
    static let container = CommandDefinition(
        "container", abstract: "Containers of apps.",
        subcommands: [
            CommandDefinition(
                "create", abstract: "Creates a container.", discussion: Administration.placeNote,
                arguments: [ArgumentDefinition("ID", help: "for example iCloud.org.example.notes")],
                options: [Administration.data, StorePlace.store],
                action: createContainer)
        ])

    static let token = CommandDefinition(
        "token", abstract: "API tokens of containers.",
        subcommands: [
            CommandDefinition(
                "create", abstract: "Creates an API token and prints it; it cannot be shown again.",
                discussion: Administration.placeNote,
                options: [
                    .option("container", "ID", help: "the container", isRequired: true), Administration.environment,
                    .option(
                        "origin", "URL", help: "where pages that use it come from: only they are handed web tokens",
                        isRepeatable: true),
                    Administration.data, StorePlace.store,
                ], action: createToken),
            CommandDefinition(
                "revoke", abstract: "Ends an API token: all processes refuse it within two seconds.",
                discussion: Administration.placeNote,
                arguments: [ArgumentDefinition("TOKEN", help: "the token, as it was printed")],
                options: [Administration.data, StorePlace.store], action: revokeToken),
        ])

    static let store = CommandDefinition(
        "store", abstract: "What the service keeps.",
        subcommands: [
            CommandDefinition(
                "renew", abstract: "Makes a restored copy safe to serve; run it before the service starts.",
                discussion: """
                    Gives every database a new incarnation. Devices that know changes from after the copy was made then
                    fetch everything once; without it they would miss changes.
                    """, options: [Administration.data, StorePlace.store], action: renewStore)
        ])

    // MARK: - Actions

    @Sendable private static func createContainer(_ values: ArgumentValues) async throws {
        let id = ContainerID(values.argument("ID"))
        _ = try await Administration.access(values).perform(
            .containerCreate, AdminContainerCreateRequest(container: id))
        Terminal.print("created container \(id)")
    }

    @Sendable private static func createToken(_ values: ArgumentValues) async throws {
        let request = AdminTokenCreateRequest(
            container: ContainerID(values.option("container") ?? ""),
            environment: Administration.environment(values), name: "command line",
            allowedOrigins: try WebOrigin.list(values.list("origin")).map(\.description))
        let answer = try await Administration.access(values).perform(
            .tokenCreate, request, as: AdminTokenCreateResponse.self)
        Terminal.print(answer.ckAPIToken)
    }

    @Sendable private static func revokeToken(_ values: ArgumentValues) async throws {
        let request = AdminTokenRevokeRequest(ckAPIToken: values.argument("TOKEN"))
        _ = try await Administration.access(values).perform(.tokenRevoke, request)
        Terminal.print("revoked the token")
    }

    @Sendable private static func renewStore(_ values: ArgumentValues) async throws {
        let place = try StorePlace.ofAdministration(values)
        if case .folder(let path) = place, access(DataFolder.databasePath(in: path), F_OK) != 0 {
            throw Failure("there is no store in \(path)")
        }
        // A folder that a service has open is refused.
        let store = try ServiceStore.open(place, policy: .strict)
        let count = try await store.renew()
        await store.close()
        Terminal.print("renewed \(count) database\(count == 1 ? "" : "s")")
    }
}
