public import Foundation

/// Tells what has changed in zones since their tokens, one zone after the other.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    public typealias ZoneConfiguration = CKFetchRecordZoneChangesConfiguration
    public typealias ZoneOptions = ZoneConfiguration

    open var recordZoneIDs: [CKRecordZone.ID]?
    open var configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?
    /// Goes on with each zone until nothing more is coming.
    open var fetchAllChanges = true
    open var recordWasChangedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    open var recordWithIDWasDeletedBlock: ((CKRecord.ID, CKRecord.RecordType) -> Void)?
    open var recordZoneChangeTokensUpdatedBlock: ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
    /// Called once per zone, with its last token. The client's own token data is not kept by the service: always `nil`.
    open var recordZoneFetchResultBlock:
        (
            (
                CKRecordZone.ID,
                Result<
                    (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error
                >
            ) -> Void
        )?
    open var fetchRecordZoneChangesResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use configurationsByRecordZoneID")
    open var optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]? {
        get { configurationsByRecordZoneID }
        set { configurationsByRecordZoneID = newValue }
    }
    @available(*, deprecated, message: "use recordWasChangedBlock")
    open var recordChangedBlock: ((CKRecord) -> Void)? {
        get { old.record }
        set { old.record = newValue }
    }
    @available(*, deprecated, message: "use recordZoneFetchResultBlock")
    open var recordZoneFetchCompletionBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    {
        get { old.zone }
        set { old.zone = newValue }
    }
    @available(*, deprecated, message: "use fetchRecordZoneChangesResultBlock")
    open var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)? {
        get { old.completion }
        set { old.completion = newValue }
    }

    private struct OldBlocks {
        var record: ((CKRecord) -> Void)?
        var zone: ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
        var completion: (((any Error)?) -> Void)?
    }
    private var old = OldBlocks()

    public override init() { super.init() }

    public convenience init(
        recordZoneIDs: [CKRecordZone.ID]? = nil,
        configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? = nil
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.configurationsByRecordZoneID = configurationsByRecordZoneID
    }

    /// Every zone from its beginning. So that zone IDs alone do not mean the deprecated initialiser.
    public convenience init(recordZoneIDs: [CKRecordZone.ID]) {
        self.init(recordZoneIDs: recordZoneIDs, configurationsByRecordZoneID: nil)
    }

    @available(*, deprecated, message: "use init(recordZoneIDs:configurationsByRecordZoneID:)")
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID], optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]? = nil
    ) {
        self.init(recordZoneIDs: recordZoneIDs, configurationsByRecordZoneID: optionsByRecordZoneID)
    }

    override func perform() async {
        var errors: [CKRecordZone.ID: any Error] = [:]
        for zone in (recordZoneIDs ?? configurationsByRecordZoneID.map { Array($0.keys) } ?? []).uniqued() {
            do {
                try await fetch(zone)
            } catch {
                if error.stopsAllZones { return finish(.failure(error), [:]) }
                errors[zone] = error
                let last = configurationsByRecordZoneID?[zone]?.previousServerChangeToken
                callBack { [self] in
                    if let recordZoneFetchResultBlock { return recordZoneFetchResultBlock(zone, .failure(error)) }
                    old.zone?(zone, last, nil, false, error)
                }
            }
        }
        finish(.success(()), errors)
    }

    private func fetch(_ zone: CKRecordZone.ID) async throws(CKError) {
        let configuration = configurationsByRecordZoneID?[zone]
        var token = configuration?.previousServerChangeToken
        while true {
            let page: DatabaseClient.ZonePage
            do {
                page = try await target.zoneChanges(
                    zone, since: token, desiredKeys: configuration?.desiredKeys, limit: configuration?.resultsLimit)
            } catch {
                throw CKError(failure: error, scope: target.core, isRead: true)
            }
            token = page.token
            let isLast = !page.moreComing || !fetchAllChanges
            await callBackInTurn { [self] in
                report(page.changes)
                if !isLast { recordZoneChangeTokensUpdatedBlock?(zone, page.token, nil) }
                if !isLast { return }
                if let recordZoneFetchResultBlock {
                    recordZoneFetchResultBlock(zone, .success((page.token, nil, page.moreComing)))
                } else {
                    old.zone?(zone, page.token, nil, page.moreComing, nil)
                }
            }
            if isLast { return }
        }
    }

    private func report(_ changes: [DatabaseClient.ZonePage.Change]) {
        for change in changes {
            switch change {
            case .changed(let id, let result):
                if let recordWasChangedBlock {
                    recordWasChangedBlock(id, result)
                } else if let record = result.value {
                    old.record?(record)
                }
            case .deleted(let id, let type): recordWithIDWasDeletedBlock?(id, type)
            }
        }
    }

    private func finish(_ result: Result<Void, any Error>, _ errors: [CKRecordZone.ID: any Error]) {
        callBack { [self] in
            if let fetchRecordZoneChangesResultBlock { return fetchRecordZoneChangesResultBlock(result) }
            old.completion?(result.error ?? CKError.partialFailure(errors))
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        recordWasChangedBlock = nil
        recordWithIDWasDeletedBlock = nil
        recordZoneChangeTokensUpdatedBlock = nil
        recordZoneFetchResultBlock = nil
        fetchRecordZoneChangesResultBlock = nil
        old = OldBlocks()
    }
}

/// From where, how much and which keys of a zone.
///
/// Unchecked: set up before the operation that carries it starts, as Apple's is.
public final class CKFetchRecordZoneChangesConfiguration: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public var previousServerChangeToken: CKServerChangeToken?
    /// Zero: as many as the service likes.
    public var resultsLimit = 0
    public var desiredKeys: [CKRecord.FieldKey]?

    public override init() { super.init() }

    public convenience init(
        previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil
    ) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
        self.resultsLimit = resultsLimit ?? 0
        self.desiredKeys = desiredKeys
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }

    public static var supportsSecureCoding: Bool { true }

    public init?(coder: NSCoder) {
        previousServerChangeToken = coder.object(CKServerChangeToken.self, "token")
        resultsLimit = coder.decodeInteger(forKey: "resultsLimit")
        if let data = coder.object(NSData.self, "desiredKeys") {
            desiredKeys = try? JSONDecoder().decode([String].self, from: Data(referencing: data))
        }
        super.init()
    }

    public func encode(with coder: NSCoder) {
        if let previousServerChangeToken { coder.encode(previousServerChangeToken, forKey: "token") }
        coder.encode(resultsLimit, forKey: "resultsLimit")
        if let desiredKeys, let data = try? JSONEncoder().encode(desiredKeys) {
            coder.encode(NSData(data: data), forKey: "desiredKeys")
        }
    }
}

extension CKError {
    /// Whether the failure is the request's rather than one zone's.
    var stopsAllZones: Bool {
        switch code {
        case .notAuthenticated, .networkFailure, .networkUnavailable, .operationCancelled, .badDatabase, .badContainer,
            .serviceUnavailable, .requestRateLimited, .serverResponseLost, .accountTemporarilyUnavailable:
            true
        default: false
        }
    }
}
