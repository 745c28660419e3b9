import CloudKit

/// Where recipes are kept: one's own in a private zone, the community's in the public database.
public enum Shelf: String, Sendable, CaseIterable {
    case own, community
}

/// What became of the recipes since the last look.
public struct RecipeChanges: Sendable {
    public var saved: [Recipe] = []
    public var deleted: [Recipe.ID] = []
}

/// The recipes in the cloud.
public actor Cookbook {
    public static let containerIdentifier = "iCloud.org.cumulet.CookCloud"

    private static let zoneID = CKRecordZone.ID(zoneName: "Cookbook", ownerName: CKCurrentUserDefaultName)
    private let ownDatabase: CKDatabase
    private let communityDatabase: CKDatabase
    private var token: CKServerChangeToken?
    private var isReady = false

    public init(container: CKContainer = CKContainer(identifier: containerIdentifier)) {
        ownDatabase = container.privateCloudDatabase
        communityDatabase = container.publicCloudDatabase
    }

    // MARK: - Reading

    /// The recipes of a shelf, in no order.
    public func recipes(on shelf: Shelf) async throws -> [Recipe] {
        try await prepare(shelf)
        let query = CKQuery(recordType: Recipe.recordType, predicate: NSPredicate(value: true))
        var recipes: [Recipe] = []
        do {
            var page = try await database(shelf).records(matching: query, inZoneWith: zone(shelf))
            while true {
                recipes += try page.matchResults.compactMap { Recipe(try $0.1.get()) }
                guard let cursor = page.queryCursor else { return recipes }
                page = try await database(shelf).records(continuingMatchFrom: cursor)
            }
        } catch let error as CKError where error.code == .unknownItem {
            return []  // nobody has saved a recipe yet, so the type is unknown
        }
    }

    /// What changed among one's own recipes since the last call; the first call gives all of them.
    public func changes() async throws -> RecipeChanges {
        try await prepare(.own)
        var changes = RecipeChanges()
        var moreComing = true
        while moreComing {
            do {
                let page = try await ownDatabase.recordZoneChanges(inZoneWith: Self.zoneID, since: token)
                changes.saved += try page.modificationResultsByID.values.compactMap { Recipe(try $0.get().record) }
                changes.deleted += page.deletions.map(\.recordID.recordName)
                token = page.changeToken
                moreComing = page.moreComing
            } catch let error as CKError where error.code == .changeTokenExpired {
                token = nil
            }
        }
        return changes
    }

    // MARK: - Writing

    /// Saves a new recipe or new content of one. When another device was faster, this device's content goes over it.
    public func save(_ recipe: Recipe, on shelf: Shelf) async throws {
        try await prepare(shelf)
        let id = recordID(recipe.id, shelf)
        var record = try await existing(id, on: shelf) ?? CKRecord(recordType: Recipe.recordType, recordID: id)
        while true {
            recipe.fill(record)
            do {
                _ = try await database(shelf).save(record)
                return
            } catch let error as CKError where error.code == .serverRecordChanged {
                guard let newer = error.serverRecord else { throw error }
                record = newer
            }
        }
    }

    public func delete(_ id: Recipe.ID, on shelf: Shelf) async throws {
        try await prepare(shelf)
        _ = try await database(shelf).deleteRecord(withID: recordID(id, shelf))
    }

    private func existing(_ id: CKRecord.ID, on shelf: Shelf) async throws -> CKRecord? {
        do {
            return try await database(shelf).record(for: id)
        } catch let error as CKError where error.code == .unknownItem {
            return nil
        }
    }

    // MARK: - Set-up

    /// Asks to be told of changes of one's own recipes and of the community's.
    public func subscribe() async throws {
        try await prepare(.own)
        let own = CKRecordZoneSubscription(zoneID: Self.zoneID, subscriptionID: "own-recipes")
        let community = CKQuerySubscription(
            recordType: Recipe.recordType, predicate: NSPredicate(value: true), subscriptionID: "community-recipes",
            options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion])
        let wanted: [(CKSubscription, CKDatabase)] = [(own, ownDatabase), (community, communityDatabase)]
        for (subscription, database) in wanted {
            let info = CKSubscription.NotificationInfo()
            info.shouldSendContentAvailable = true
            subscription.notificationInfo = info
            _ = try await database.save(subscription)
        }
    }

    private func prepare(_ shelf: Shelf) async throws {
        guard shelf == .own, !isReady else { return }
        _ = try await ownDatabase.save(CKRecordZone(zoneID: Self.zoneID))
        isReady = true
    }

    private func database(_ shelf: Shelf) -> CKDatabase { shelf == .own ? ownDatabase : communityDatabase }

    private func zone(_ shelf: Shelf) -> CKRecordZone.ID? { shelf == .own ? Self.zoneID : nil }

    private func recordID(_ name: String, _ shelf: Shelf) -> CKRecord.ID {
        shelf == .own ? CKRecord.ID(recordName: name, zoneID: Self.zoneID) : CKRecord.ID(recordName: name)
    }
}
