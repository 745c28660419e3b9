import PostgresDriver
import SQLCore

/// Where a service keeps its data.
enum StorePlace: Sendable {
    case memory
    case folder(String)
    /// A database that several processes may share. Its description has no password.
    case database(PostgresDatabase)

    static let store = OptionDefinition.option(
        "store", "URL",
        help: "a PostgreSQL database in place of a folder, for example postgresql://cumulet@db.example.org/cumulet "
            + "(default: $CUMULET_STORE); its password comes from PGPASSFILE or PGPASSWORD")
    static let assets = OptionDefinition.option(
        "assets", "DIR", help: "with --store: the folder of asset files, shared by all processes")

    /// The place that `--data`, `--store` or `--memory` names; `nil` when none is given.
    static func named(by values: ArgumentValues) throws(UsageError) -> StorePlace? {
        let given = ["data", "store"].filter { values.option($0) != nil } + (values.flag("memory") ? ["memory"] : [])
        guard given.count <= 1 else {
            throw UsageError("\(given.map { "--" + $0 }.joined(separator: " and ")) exclude each other")
        }
        if values.flag("memory") { return .memory }
        if let path = values.option("data") { return .folder(try folder(path)) }
        return try values.option("store").map { address throws(UsageError) in try database(address, of: "--store") }
    }

    /// The place of a service for people: the one named, else that of `CUMULET_STORE`.
    static func ofService(
        _ values: ArgumentValues, environment: (String) -> String? = Terminal.variable
    ) throws(UsageError) -> StorePlace {
        if let named = try named(by: values) { return named }
        guard let address = environment("CUMULET_STORE") else {
            throw UsageError("where to keep the data is missing: --data DIR, or --store URL with --assets DIR")
        }
        return try database(address, of: "CUMULET_STORE")
    }

    /// The place that administrative commands work on: the one named, else that of `CUMULET_STORE` or `CUMULET_DATA`,
    /// else the user's data folder.
    static func ofAdministration(
        _ values: ArgumentValues, environment: (String) -> String? = Terminal.variable
    ) throws(UsageError) -> StorePlace {
        if let named = try named(by: values) { return named }
        guard let address = environment("CUMULET_STORE") else {
            return .folder(DataPath.find(given: nil, environment: environment))
        }
        guard environment("CUMULET_DATA") == nil else {
            throw UsageError("CUMULET_DATA and CUMULET_STORE exclude each other; --data or --store says which is meant")
        }
        return try database(address, of: "CUMULET_STORE")
    }

    /// The folder for asset files: beside a database the one given, in a data folder `assets`; `nil` for a temporary one.
    func assetFolder(_ values: ArgumentValues) throws(UsageError) -> String? {
        let path = values.option("assets")
        switch self {
        case .database:
            guard let path else { throw UsageError("a database needs --assets DIR for the files of assets") }
            return path
        case .memory, .folder:
            guard path == nil else { throw UsageError("--assets goes with --store") }
            if case .folder(let data) = self { return data + "/assets" }
            return nil
        }
    }

    private static func folder(_ path: String) throws(UsageError) -> String {
        guard !path.contains("://") else {
            throw UsageError("--data names a folder; the address of a database goes with --store")
        }
        return path
    }

    private static func database(_ address: String, of source: String) throws(UsageError) -> StorePlace {
        do throws(SQLError) {
            return .database(try PostgresDatabase(address))
        } catch {
            // The address may have a password in any of its parts; the message has none of them.
            throw UsageError("\(source): \(error.message)")
        }
    }
}
