package import CloudCore
import SQLCore

/// What a write will read of its zone, told before it runs, so that all that a commit needs is asked for at once.
///
/// It changes nothing but how often the database is asked: what was not told, or is not where it was, is read when it is
/// needed.
package struct ReadAhead: Sendable {
    let database: DatabaseID
    let zone: ZoneID
    let needs: RecordNeeds

    package init(_ needs: RecordNeeds, in database: DatabaseID, zone: ZoneID) {
        self.needs = needs
        self.database = database
        self.zone = zone
    }

    /// About how long it takes, in records.
    var weight: Int { max(1, needs.names.count) }
}

/// Asks at once for all that is known to be read by the jobs of one commit, and gives it to their memory.
struct BatchReads {
    private let jobs: [ReadAhead]
    /// The databases of the jobs, each once.
    private let databases: [DatabaseID]
    private let memory: BatchMemory
    private let places: StorePlaces
    /// Whether databases that others hold are left out.
    private let skipsHeld: Bool

    init(_ jobs: [ReadAhead], _ memory: BatchMemory, _ places: StorePlaces, skipsHeld: Bool) {
        self.jobs = jobs
        self.memory = memory
        self.places = places
        self.skipsHeld = skipsHeld
        var seen: Set<DatabaseID> = []
        databases = jobs.map(\.database).filter { seen.insert($0).inserted }
    }

    private static let byIdentity = [
        SQLColumn("container", .text), SQLColumn("environment", .text), SQLColumn("scope", .integer),
        SQLColumn("owner", .text),
    ]
    private static let waiting = SQLLookup(
        DatabaseRef.columns, from: "cloud_database", by: byIdentity, hold: .lock)
    private static let passing = SQLLookup(
        DatabaseRef.columns, from: "cloud_database", by: byIdentity, hold: .lockFree)
    private static let version = SQLLookup(
        "version", from: "schema_version", by: Array(byIdentity.prefix(2)))
    private static let zone = SQLLookup(
        "\(ZoneRef.columns), deleted", from: "zone",
        by: [.init("db", .integer), .init("name", .text)])
    private static let subscription = SQLLookup(
        "user_name, content", from: "subscription", by: [.init("db", .integer), .init("record_type", .text)])

    /// What is asked for beside the databases, by guessed numbers, each once.
    private struct Guesses {
        struct Zone: Hashable {
            let database: DatabaseID
            let name: ExactName
        }

        var zones: [(zone: Zone, row: Int64, place: BatchMemory.ZonePlace)] = []
        var records: [(name: ExactName, zone: Int)] = []
        var subscriptions: [(database: DatabaseID, row: Int64, type: ExactName)] = []
    }

    private func guesses() -> Guesses {
        var guesses = Guesses()
        var numbers: [Guesses.Zone: Int] = [:]
        var asked: Set<BatchMemory.SubscriptionKey> = []
        var names: [Set<ExactName>] = []
        for job in jobs {
            guard job.zone.owner == job.database.owner, job.database.scope != .shared,
                let place = places.place(of: job.database)
            else { continue }
            for type in job.needs.recordTypes.union([ExactName("")])
            where asked.insert(.init(database: place.row, recordType: type)).inserted {
                guesses.subscriptions.append((job.database, place.row, type))
            }
            let zone = Guesses.Zone(database: job.database, name: ExactName(job.zone.name))
            guard let row = place.zones[zone.name] else { continue }
            let number = numbers[zone] ?? guesses.zones.count
            if number == guesses.zones.count {
                numbers[zone] = number
                guesses.zones.append((zone, row, .init(database: place.row, zone: row)))
                names.append([])
            }
            for name in job.needs.names where names[number].insert(name).inserted && !name.text.utf8.contains(0) {
                guesses.records.append((name, number))
            }
        }
        return guesses
    }

    /// - Returns: Databases that could not be had without waiting, or have no row yet; none unless held ones are skipped.
    func run(on connection: any SQLConnection) throws -> Set<DatabaseID> {
        let guesses = guesses()
        let scopes = Array(Set(databases.map(SchemaScope.init)))
        var found: [DatabaseRef?] = Array(repeating: nil, count: databases.count)
        var versions = [Int64](repeating: 0, count: scopes.count)
        var zones: [ZoneRef?] = Array(repeating: nil, count: guesses.zones.count)
        var records = [[ExactName: BatchMemory.KnownRecord]](repeating: [:], count: guesses.zones.count)
        var subscriptions = [[StoredSubscription]](repeating: [], count: guesses.subscriptions.count)
        for record in guesses.records { records[record.zone][record.name] = .noRow }
        let searches = [
            SQLSearch(skipsHeld ? Self.passing : Self.waiting, databases.map(\.identity)),
            SQLSearch(
                Self.version, scopes.map { [.text($0.container.rawValue), .text($0.environment.rawValue)] }),
            SQLSearch(
                Self.zone, guesses.zones.map { [.integer($0.place.database), .text($0.zone.name.text)] }),
            SQLSearch(
                RecordRow.byName,
                guesses.records.map {
                    let place = guesses.zones[$0.zone].place
                    return [.integer(place.database), .integer(place.zone), .text($0.name.text)]
                }),
            SQLSearch(Self.subscription, guesses.subscriptions.map { [.integer($0.row), .text($0.type.text)] }),
        ]
        try connection.find(searches) { search, key, row in
            switch search {
            case 0: found[key] = try DatabaseRef(databases[key], row)
            case 1: versions[key] = row.integer(0)
            case 2:
                guard row.integer(ZoneRef.columnCount) == 0 else { return }
                let zone = guesses.zones[key].zone
                zones[key] = ZoneRef(ZoneID(name: zone.name.text, owner: zone.database.owner), row)
            case 3:
                let record = guesses.records[key]
                records[record.zone][record.name] = .row(RecordRow(row))
            default: subscriptions[key].append(try StoredSubscription(row))
            }
        }
        var refs: [DatabaseID: DatabaseRef] = [:]
        for case let database? in found {
            refs[database.id] = database
            memory.keep(database)
        }
        for (scope, version) in zip(scopes, versions) { memory.schemaVersions[scope] = version }
        for (number, guess) in guesses.zones.enumerated() {
            guard let zone = zones[number], let database = refs[guess.zone.database],
                database.row == guess.place.database
            else { continue }
            memory.keep(zone, in: database)
            if zone.row == guess.row { memory.keep(records[number], of: guess.place) }
        }
        keep(subscriptions, guesses, refs)
        return skipsHeld ? Set(databases.filter { refs[$0] == nil }) : []
    }

    /// Keeps for each type what concerns it: its own subscriptions and those of no type.
    private func keep(
        _ found: [[StoredSubscription]], _ guesses: Guesses, _ refs: [DatabaseID: DatabaseRef]
    ) {
        var ofAll: [Int64: [StoredSubscription]] = [:]
        for (guess, stored) in zip(guesses.subscriptions, found) where guess.type.text.isEmpty {
            ofAll[guess.row] = stored
        }
        for (guess, stored) in zip(guesses.subscriptions, found) where !guess.type.text.isEmpty {
            guard refs[guess.database]?.row == guess.row else { continue }
            let key = BatchMemory.SubscriptionKey(database: guess.row, recordType: guess.type)
            memory.subscriptions[key] = stored + (ofAll[guess.row] ?? [])
        }
    }
}

extension DatabaseID {
    /// The values of its row's key.
    var identity: [SQLValue] {
        [.text(container.rawValue), .text(environment.rawValue), .integer(Int64(scope.rawValue)), .text(owner)]
    }
}
