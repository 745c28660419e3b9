public import CloudKit
import Synchronization

/// Where recipes are kept: one's own in a private zone, the community's in the public database, and those that others
/// share in the shared one.
public enum Shelf: String, Sendable, CaseIterable {
    case own, community, shared
}

/// What a save does to a recipe's picture.
public enum PhotoChange: Sendable, Equatable {
    case keep
    /// Takes the content of a file, which stays the caller's.
    case set(URL)
    case remove
}

/// The recipes in the cloud.
public actor Cookbook {
    public static let containerIdentifier = "iCloud.org.cumulet.CookCloud"

    static let zoneID = CKRecordZone.ID(zoneName: "Cookbook", ownerName: CKCurrentUserDefaultName)
    let container: CKContainer
    private var cache: RecipeCache
    private var isReady = false

    public init(container: CKContainer = CKContainer(identifier: containerIdentifier)) {
        self.init(container: container, cache: .standard)
    }

    init(container: CKContainer, cache: RecipeCache) {
        self.container = container
        self.cache = cache
    }

    // MARK: - Reading

    /// The recipes of a shelf, in no order. One's own and shared ones are read from where the last look ended, on whatever
    /// run; of the community's all are asked for, and the device has their pictures.
    public func recipes(on shelf: Shelf) async throws -> [Recipe] {
        try await prepare(shelf)
        switch shelf {
        case .own:
            try await sync(Self.zoneID, of: "")
            return Array(cache[""].recipes.values)
        case .shared:
            let zones = try await container.sharedCloudDatabase.allRecordZones().map(\.zoneID)
            let shared = zones.filter { $0.zoneName == Self.zoneID.zoneName }
            for owner in cache.owners where !shared.contains(where: { $0.ownerName == owner }) {
                try cache.set(nil, of: owner)
            }
            for zone in shared { try await sync(zone, of: zone.ownerName) }
            return cache.owners.flatMap { cache[$0].recipes.values }
        case .community: return try await communityRecipes()
        }
    }

    /// What this device knew last of the signed-in user's recipes, without asking the cloud; nothing of the community's.
    public func knownRecipes(on shelf: Shelf) async throws -> [Recipe] {
        guard try await container.accountStatus() == .available else { return [] }
        switch shelf {
        case .own: return Array(cache[""].recipes.values)
        case .shared: return cache.owners.flatMap { cache[$0].recipes.values }
        case .community: return []
        }
    }

    private func communityRecipes() async throws -> [Recipe] {
        let query = CKQuery(recordType: Recipe.recordType, predicate: NSPredicate(value: true))
        let database = container.publicCloudDatabase
        var recipes: [Recipe] = []
        do {
            var page = try await database.records(matching: query)
            while true {
                recipes += try page.matchResults.compactMap { Recipe(try $0.1.get()) }
                guard let cursor = page.queryCursor else { return recipes }
                page = try await database.records(continuingMatchFrom: cursor)
            }
        } catch let error as CKError where error.code == .unknownItem {
            return []  // nobody has saved a recipe yet, so the type is unknown
        }
    }

    /// Takes in what changed in a zone since the last look.
    private func sync(_ zoneID: CKRecordZone.ID, of owner: String) async throws {
        var moreComing = true
        while moreComing {
            var zone = cache[owner]
            let token = try zone.token.flatMap {
                try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: $0)
            }
            do {
                let page = try await database(owner.isEmpty ? .own : .shared)
                    .recordZoneChanges(inZoneWith: zoneID, since: token)
                for result in page.modificationResultsByID.values {
                    guard var recipe = Recipe(try result.get().record) else { continue }
                    recipe.photo = try recipe.photo.map { try cache.keep($0, of: recipe) }
                    zone.recipes[recipe.id] = recipe
                }
                for deletion in page.deletions { zone.recipes[deletion.recordID.recordName] = nil }
                zone.token = try NSKeyedArchiver.archivedData(
                    withRootObject: page.changeToken, requiringSecureCoding: true)
                moreComing = page.moreComing
            } catch let error as CKError where error.code == .changeTokenExpired {
                zone = RecipeCache.Zone()
            }
            try cache.set(zone, of: owner)
        }
    }

    // MARK: - Writing

    /// Saves a new recipe or new content of one. When another device was faster, this device's content goes over it.
    /// - Parameter progress: Told how much of the picture is sent, from 0 to 1.
    public func save(
        _ recipe: Recipe, on shelf: Shelf, photo: PhotoChange = .keep,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws {
        try await prepare(shelf)
        let id = recordID(recipe, shelf)
        var record = try await existing(id, on: shelf) ?? CKRecord(recordType: Recipe.recordType, recordID: id)
        while true {
            recipe.fill(record)
            switch photo {
            case .keep: break
            case .set(let file): record[Recipe.Key.photo] = CKAsset(fileURL: file)
            case .remove: record[Recipe.Key.photo] = nil
            }
            do {
                return try await send(record, to: database(shelf), progress)
            } catch let error as CKError where error.code == .serverRecordChanged {
                guard let newer = error.serverRecord else { throw error }
                record = newer
            }
        }
    }

    /// Saves a record by an operation, which tells how far it is.
    private func send(
        _ record: CKRecord, to database: CKDatabase, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        let operation = CKModifyRecordsOperation(recordsToSave: [record])
        operation.qualityOfService = .userInitiated
        operation.perRecordProgressBlock = { _, part in progress(part) }
        let outcome = Mutex<Result<CKRecord, any Error>?>(nil)
        operation.perRecordSaveBlock = { _, result in outcome.withLock { $0 = result } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                operation.modifyRecordsResultBlock = { result in
                    // The record's own error says more than that some have failed.
                    waiter.resume(with: outcome.withLock(\.self)?.map { _ in } ?? result)
                }
                database.add(operation)
            }
        } onCancel: {
            operation.cancel()
        }
    }

    public func delete(_ recipe: Recipe, on shelf: Shelf) async throws {
        try await prepare(shelf)
        _ = try await database(shelf).deleteRecord(withID: recordID(recipe, shelf))
    }

    func existing(_ id: CKRecord.ID, on shelf: Shelf) async throws -> CKRecord? {
        do {
            return try await database(shelf).record(for: id)
        } catch let error as CKError where error.code == .unknownItem {
            return nil
        }
    }

    // MARK: - Set-up

    /// Asks to be told of changes on every shelf.
    public func subscribe() async throws {
        try await prepare(.own)
        let own = CKRecordZoneSubscription(zoneID: Self.zoneID, subscriptionID: "own-recipes")
        let community = CKQuerySubscription(
            recordType: Recipe.recordType, predicate: NSPredicate(value: true), subscriptionID: "community-recipes",
            options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion])
        let shared = CKDatabaseSubscription(subscriptionID: "shared-recipes")
        let wanted: [(CKSubscription, Shelf)] = [(own, .own), (community, .community), (shared, .shared)]
        for (subscription, shelf) in wanted {
            let info = CKSubscription.NotificationInfo()
            info.shouldSendContentAvailable = true
            subscription.notificationInfo = info
            _ = try await database(shelf).save(subscription)
        }
    }

    /// Forgets what the last account left, since the account is another one or nobody is signed in.
    public func startAnew() throws {
        isReady = false
        try cache.clear()
    }

    /// Whether what is known is not the signed-in user's. The system also tells of changes that leave the user as they were.
    func isOfAnotherAccount() async throws -> Bool {
        guard try await container.accountStatus() == .available else { return cache.account != nil }
        return try await container.userRecordID().recordName != cache.account
    }

    /// Makes the zone and sees to it that the cache is the account's.
    func prepare(_ shelf: Shelf) async throws {
        guard shelf != .community else { return }
        do {
            try cache.use(account: try await container.userRecordID().recordName)
        } catch let error as CKError where error.code == .notAuthenticated {
            try startAnew()
            throw error
        }
        guard shelf == .own, !isReady else { return }
        _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneID: Self.zoneID))
        isReady = true
    }

    func database(_ shelf: Shelf) -> CKDatabase {
        switch shelf {
        case .own: container.privateCloudDatabase
        case .community: container.publicCloudDatabase
        case .shared: container.sharedCloudDatabase
        }
    }

    func recordID(_ recipe: Recipe, _ shelf: Shelf) -> CKRecord.ID {
        switch shelf {
        case .own: CKRecord.ID(recordName: recipe.id, zoneID: Self.zoneID)
        case .community: CKRecord.ID(recordName: recipe.id)
        case .shared:
            CKRecord.ID(
                recordName: recipe.id,
                zoneID: CKRecordZone.ID(
                    zoneName: Self.zoneID.zoneName, ownerName: recipe.owner ?? CKCurrentUserDefaultName))
        }
    }
}
