import CloudKit

/// The fasts of the signed-in user in a zone of their own, and those that others share.
public struct FastingStore: Sendable {
    public static let containerIdentifier = "iCloud.org.cumulet.Fasting"

    private let container: CKContainer
    private static let zoneID = CKRecordZone.ID(zoneName: "Fasts", ownerName: CKCurrentUserDefaultName)

    public init(container: CKContainer = CKContainer(identifier: containerIdentifier)) {
        self.container = container
    }

    private var own: CKDatabase { container.privateCloudDatabase }

    // MARK: - One's own

    /// Makes the zone. It may be there already.
    public func prepare() async throws { try await own.save(CKRecordZone(zoneID: Self.zoneID)) }

    @discardableResult
    public func begin(_ goal: Fast.Goal, at start: Date = Date()) async throws -> Fast {
        let fast = Fast(goal: goal, start: start)
        let record = CKRecord(
            recordType: Fast.recordType, recordID: CKRecord.ID(recordName: fast.id, zoneID: Self.zoneID))
        fast.write(to: record)
        try await own.save(record)
        return fast
    }

    /// Ends the fast that lasts, if there is one; retries when another device was faster with something else.
    @discardableResult
    public func end(at end: Date = Date()) async throws -> Fast? {
        guard let current = try await fasts().first(where: { $0.end == nil }) else { return nil }
        let record = try await own.record(for: CKRecord.ID(recordName: current.id, zoneID: Self.zoneID))
        var fast = current
        fast.end = end
        fast.write(to: record)
        try await own.save(record)
        return fast
    }

    /// All fasts, the latest first.
    public func fasts() async throws -> [Fast] { try await fasts(in: Self.zoneID, of: own) }

    // MARK: - Shared

    /// Shares the zone so that everybody with the address may read it; shared already, it keeps its address.
    public func share() async throws -> CKShare {
        let id = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: Self.zoneID)
        do {
            if let share = try await own.record(for: id) as? CKShare { return share }
        } catch let error as CKError where error.code == .unknownItem {}
        let share = CKShare(recordZoneID: Self.zoneID)
        share[CKShare.SystemFieldKey.title] = "Fasting"
        share.publicPermission = .readOnly
        try await own.save(share)
        return share
    }

    /// Ends the sharing: nobody else sees the fasts any more.
    public func unshare() async throws {
        try await own.deleteRecord(
            withID: CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: Self.zoneID))
    }

    /// Takes part in what an address stands for; the friend's fasts are then among ``friends()``.
    public func accept(_ url: URL) async throws {
        try await container.accept(try await container.shareMetadata(for: url))
    }

    /// Somebody whose fasts one may see.
    public struct Friend: Sendable {
        /// The record name of the user, which tells friends apart.
        public let user: String
        public let name: String
        public let fasts: [Fast]
    }

    /// Those who share their fasts, by name.
    public func friends() async throws -> [Friend] {
        let shared = container.sharedCloudDatabase
        var friends: [Friend] = []
        for zone in try await shared.allRecordZones() where zone.zoneID.zoneName == Self.zoneID.zoneName {
            let owner = zone.zoneID.ownerName
            let share = try await shared.record(
                for: CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: zone.zoneID))
            let components = (share as? CKShare)?.owner.userIdentity.nameComponents
            let name = [components?.givenName, components?.familyName].compactMap(\.self).joined(separator: " ")
            friends.append(
                Friend(
                    user: owner, name: name.isEmpty ? "somebody" : name,
                    fasts: try await fasts(in: zone.zoneID, of: shared)))
        }
        return friends.sorted { ($0.name, $0.user) < ($1.name, $1.user) }
    }

    private func fasts(in zone: CKRecordZone.ID, of database: CKDatabase) async throws -> [Fast] {
        let query = CKQuery(recordType: Fast.recordType, predicate: NSPredicate(value: true))
        query.sortDescriptors = [NSSortDescriptor(key: "startDate", ascending: false)]
        var fasts: [Fast] = []
        do {
            var (matches, cursor) = try await database.records(matching: query, inZoneWith: zone)
            fasts += try matches.compactMap { Fast(try $0.1.get()) }
            while let next = cursor {
                (matches, cursor) = try await database.records(continuingMatchFrom: next)
                fasts += try matches.compactMap { Fast(try $0.1.get()) }
            }
        } catch let error as CKError where error.code == .unknownItem {
            // Nobody has saved a fast yet, so the service does not know the type.
        }
        return fasts
    }
}
