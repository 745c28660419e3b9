import CloudCore
import CloudServer
import CloudWire
import Foundation

/// `account add`, `list`, `set`, `disable`, `enable`, `purge`, `remove`.
enum AccountCommands {
    static let account = CommandDefinition(
        "account", abstract: "Accounts of people.",
        subcommands: [
            CommandDefinition(
                "add", abstract: "Adds an account.",
                discussion: "The password comes from CUMULET_PASSWORD or is asked for." + Administration.placeNote,
                arguments: [ArgumentDefinition("EMAIL", help: "what the account signs in with")],
                options: names + [
                    .option("phone", "NUMBER", help: "a telephone number that others may look the person up by"),
                    .flag("discoverable", help: "lets others find the person by address or number"),
                ] + place, action: add),
            CommandDefinition(
                "list", abstract: "Lists the accounts: address, number, name, state, discoverability, day of creation.",
                discussion: Administration.placeNote, options: place, action: list),
            CommandDefinition(
                "set",
                abstract: "Changes an account. What is not given stays; '-' takes a number or a part of a name away.",
                discussion: Administration.placeNote, arguments: [email],
                options: [
                    .option("email", "EMAIL", help: "another address to sign in with"),
                    .option("phone", "NUMBER", help: "a telephone number that others may look the person up by"),
                ] + names + [
                    .option(
                        "discoverable", "YES-NO", help: "whether others find the person by address or number",
                        choices: ["yes", "no"]),
                    .option("container", "ID", help: "with --discoverable: in this container only"),
                    .flag("password", help: "asks for another password and ends the account's sessions"),
                ] + place, action: set),
            CommandDefinition(
                "disable", abstract: "Ends an account's sessions at once and lets it sign in no more; all is kept.",
                discussion: Administration.placeNote, arguments: [email], options: place
            ) { values in
                try await change(.accountDisable, values)
                Terminal.print("disabled account \(values.argument("EMAIL"))")
            },
            CommandDefinition(
                "enable", abstract: "Lets a disabled account sign in again.", discussion: Administration.placeNote,
                arguments: [email], options: place
            ) { values in
                try await change(.accountEnable, values)
                Terminal.print("enabled account \(values.argument("EMAIL"))")
            },
            CommandDefinition(
                "purge", abstract: "Erases what an account has stored in its private database of a container.",
                discussion: """
                    The apps on its devices learn that their zones were purged, and may make them again. What it has in the public
                    database stays, and so does what others share with it.
                    """ + Administration.placeNote, arguments: [email],
                options: [
                    .option("container", "ID", help: "the container", isRequired: true), Administration.environment,
                    .flag("yes", help: "does it without asking"),
                ] + place, action: purge),
            CommandDefinition(
                "remove", abstract: "Removes an account and erases its private databases in all containers.",
                discussion: """
                    Its records in public databases stay, under a user record name that is nobody's any more. There is no
                    way back but a copy.
                    """ + Administration.placeNote, arguments: [email],
                options: [.flag("yes", help: "does it without asking")] + place, action: remove),
        ])

    private static let email = ArgumentDefinition("EMAIL", help: "the account's address")
    private static let place = [Administration.data, StorePlace.store]
    private static let names: [OptionDefinition] = [
        .option("name-prefix", "NAME", help: "what stands before the person's name, such as Dr."),
        .option("given-name", "NAME", help: "the person's given name"),
        .option("middle-name", "NAME", help: "the person's middle name"),
        .option("family-name", "NAME", help: "the person's family name"),
        .option("name-suffix", "NAME", help: "what stands behind the person's name, such as Jr."),
        .option("nickname", "NAME", help: "the person's nickname"),
    ]

    private static func names(_ values: ArgumentValues, _ value: (String?) -> String? = { $0 }) -> NameComponents {
        NameComponents(
            namePrefix: value(values.option("name-prefix")), givenName: value(values.option("given-name")),
            middleName: value(values.option("middle-name")), familyName: value(values.option("family-name")),
            nameSuffix: value(values.option("name-suffix")), nickname: value(values.option("nickname")))
    }

    // MARK: - Actions

    @Sendable private static func add(_ values: ArgumentValues) async throws {
        let email = values.argument("EMAIL")
        let access = try Administration.access(values)
        let request = AdminAccountAddRequest(
            emailAddress: email, password: try Terminal.password(for: email), phoneNumber: values.option("phone"),
            nameComponents: names(values), isDiscoverable: values.flag("discoverable"))
        _ = try await access.perform(.accountAdd, request)
        Terminal.print("added account \(email)")
    }

    @Sendable private static func list(_ values: ArgumentValues) async throws {
        var rows = [["EMAIL", "PHONE", "NAME", "STATE", "DISCOVERABLE", "CREATED"]]
        var request = AdminAccountListRequest()
        while true {
            let page = try await Administration.access(values).perform(
                .accountList, request, as: AdminAccountListResponse.self)
            rows += page.accounts.map(row)
            guard page.moreComing, let last = page.accounts.last else { break }
            request.after = last.emailAddress
        }
        Terminal.write(TextTable.text(of: rows), to: 1)
    }

    private static func row(of account: AdminAccount) -> [String] {
        let name = account.nameComponents
        let parts = [name.namePrefix, name.givenName, name.middleName, name.familyName, name.nameSuffix]
        return [
            account.emailAddress, account.phoneNumber.map { "+" + $0 } ?? "-",
            parts.compactMap { $0 }.joined(separator: " "), account.isDisabled ? "disabled" : "active",
            account.isDiscoverable ? "yes" : "no", TextTable.day(account.created),
        ]
    }

    @Sendable private static func set(_ values: ArgumentValues) async throws {
        let email = values.argument("EMAIL")
        // An empty text stands for nothing; a command line has '-' for it.
        func given(_ text: String?) -> String? { text == "-" ? "" : text }
        let access = try Administration.access(values)
        let request = AdminAccountSetRequest(
            emailAddress: email, newEmailAddress: values.option("email"),
            password: values.flag("password") ? try Terminal.password(for: email) : nil,
            phoneNumber: given(values.option("phone")), nameComponents: names(values, given),
            isDiscoverable: values.option("discoverable").map { $0 == "yes" },
            container: values.option("container").map { ContainerID($0) })
        _ = try await access.perform(.accountSet, request)
        Terminal.print("changed account \(email)")
    }

    private static func change(_ call: AdminCall, _ values: ArgumentValues) async throws {
        let request = AdminAccountRequest(emailAddress: values.argument("EMAIL"))
        _ = try await Administration.access(values).perform(call, request)
    }

    @Sendable private static func purge(_ values: ArgumentValues) async throws {
        let email = values.argument("EMAIL")
        let container = values.option("container") ?? ""
        if !values.flag("yes") {
            let question = "erase all that \(email) has stored in \(container)? Type its address: "
            guard try Terminal.answer(to: question) == email else { throw Failure("not erased") }
        }
        let request = AdminAccountPurgeRequest(
            emailAddress: email, container: ContainerID(container), environment: Administration.environment(values))
        _ = try await Administration.access(values).perform(.accountPurge, request)
        Terminal.print("erased what \(email) had in \(container)")
    }

    @Sendable private static func remove(_ values: ArgumentValues) async throws {
        let email = values.argument("EMAIL")
        if !values.flag("yes") {
            guard try Terminal.answer(to: "remove \(email) and all that it has stored? Type its address: ") == email
            else {
                throw Failure("not removed")
            }
        }
        try await change(.accountRemove, values)
        Terminal.print("removed account \(email)")
    }
}
