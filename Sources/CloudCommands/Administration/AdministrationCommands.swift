import CloudCore
import CloudCrypto
import CloudServer
import CloudStorage
import CloudWire
import Glibc

/// `account add`, `container create`, `token create`: what a service of `cumulet serve` does not make on its own.
enum AdministrationCommands {
    static let account = CommandDefinition(
        "account", abstract: "Accounts of people.",
        subcommands: [
            CommandDefinition(
                "add", abstract: "Adds an account.",
                discussion: "The password comes from CUMULET_PASSWORD or is asked for." + placeNote,
                arguments: [ArgumentDefinition("EMAIL", help: "what the account signs in with")],
                options: nameOptions + [
                    .option("phone", "NUMBER", help: "a telephone number that others may look the person up by"),
                    .flag("discoverable", help: "lets others find the person by address or number"),
                    data, StorePlace.store,
                ], action: addAccount)
        ])

    static let container = CommandDefinition(
        "container", abstract: "Containers of apps.",
        subcommands: [
            CommandDefinition(
                "create", abstract: "Creates a container.", discussion: placeNote,
                arguments: [ArgumentDefinition("ID", help: "for example iCloud.org.example.notes")],
                options: [data, StorePlace.store],
                action: createContainer)
        ])

    static let token = CommandDefinition(
        "token", abstract: "API tokens of containers.",
        subcommands: [
            CommandDefinition(
                "create", abstract: "Creates an API token and prints it; it cannot be shown again.",
                discussion: placeNote,
                options: [
                    .option("container", "ID", help: "the container", isRequired: true),
                    .option(
                        "environment", "E", help: "development (the default) or production",
                        choices: CloudEnvironment.allCases.map(\.rawValue)),
                    .option(
                        "origin", "URL", help: "where pages that use it come from: only they are handed web tokens",
                        isRepeatable: true),
                    data, StorePlace.store,
                ], action: createToken),
            CommandDefinition(
                "revoke", abstract: "Ends an API token: all processes refuse it within two seconds.",
                discussion: placeNote, arguments: [ArgumentDefinition("TOKEN", help: "the token, as it was printed")],
                options: [data, StorePlace.store], action: revokeToken),
        ])

    static let store = CommandDefinition(
        "store", abstract: "What the service keeps.",
        subcommands: [
            CommandDefinition(
                "renew", abstract: "Makes a restored copy safe to serve; run it before the service starts.",
                discussion: """
                    Gives every database a new incarnation. Devices that know changes from after the copy was made then
                    fetch everything once; without it they would miss changes.
                    """, options: [data, StorePlace.store], action: renewStore)
        ])

    private static let data = OptionDefinition.option(
        "data", "DIR", help: "the service's folder (default: $CUMULET_DATA, else cumulet in the user's data folder)")
    private static let placeNote =
        " Opens the database of --store; of --data it opens the folder, or talks to the service that runs on it."

    private static let nameOptions: [OptionDefinition] = [
        .option("name-prefix", "NAME", help: "what stands before the person's name, such as Dr."),
        .option("given-name", "NAME", help: "the person's given name"),
        .option("middle-name", "NAME", help: "the person's middle name"),
        .option("family-name", "NAME", help: "the person's family name"),
        .option("name-suffix", "NAME", help: "what stands behind the person's name, such as Jr."),
        .option("nickname", "NAME", help: "the person's nickname"),
    ]

    private static func names(_ values: ArgumentValues) -> NameComponents {
        NameComponents(
            namePrefix: values.option("name-prefix"), givenName: values.option("given-name"),
            middleName: values.option("middle-name"), familyName: values.option("family-name"),
            nameSuffix: values.option("name-suffix"), nickname: values.option("nickname"))
    }

    // MARK: - Actions

    @Sendable private static func addAccount(_ values: ArgumentValues) async throws {
        let email = values.argument("EMAIL")
        let access = try AdminAccess(StorePlace.ofAdministration(values))
        let password = try Terminal.password(for: email)
        let request = AdminAccountAddRequest(
            emailAddress: email, password: password, phoneNumber: values.option("phone"),
            nameComponents: names(values), isDiscoverable: values.flag("discoverable"))
        switch access {
        case .running(let service):
            _ = try await service.post("account-add", request.encode())
        case .store(let store):
            let hash = PasswordHash.make(password)
            try await store.write { transaction in
                _ = try transaction.addAccount(
                    email: request.emailAddress, phone: request.phoneNumber, name: request.nameComponents,
                    isDiscoverable: request.isDiscoverable, passwordHash: hash)
            }
            await store.close()
        }
        Terminal.print("added account \(email)")
    }

    @Sendable private static func createContainer(_ values: ArgumentValues) async throws {
        let id = ContainerID(values.argument("ID"))
        switch try AdminAccess(StorePlace.ofAdministration(values)) {
        case .running(let service):
            _ = try await service.post("container-create", AdminContainerCreateRequest(container: id).encode())
        case .store(let store):
            try await store.write { try $0.createContainer(id) }
            await store.close()
        }
        Terminal.print("created container \(id)")
    }

    @Sendable private static func createToken(_ values: ArgumentValues) async throws {
        let request = AdminTokenCreateRequest(
            container: ContainerID(values.option("container") ?? ""),
            environment: values.option("environment").flatMap(CloudEnvironment.init(rawValue:)) ?? .development,
            name: "command line", allowedOrigins: try WebOrigin.list(values.list("origin")).map(\.description))
        let token: String
        switch try AdminAccess(StorePlace.ofAdministration(values)) {
        case .running(let service):
            token = try AdminTokenCreateResponse.decode(try await service.post("token-create", request.encode()))
                .ckAPIToken
        case .store(let store):
            token = try await store.write { transaction in
                try transaction.createAPIToken(
                    container: request.container, environment: request.environment, name: request.name,
                    origins: request.allowedOrigins)
            }
            await store.close()
        }
        Terminal.print(token)
    }

    @Sendable private static func revokeToken(_ values: ArgumentValues) async throws {
        let request = AdminTokenRevokeRequest(ckAPIToken: values.argument("TOKEN"))
        switch try AdminAccess(StorePlace.ofAdministration(values)) {
        case .running(let service):
            _ = try await service.post("token-revoke", request.encode())
        case .store(let store):
            try await store.write { try $0.revokeAPIToken(request.ckAPIToken) }
            await store.close()
        }
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
