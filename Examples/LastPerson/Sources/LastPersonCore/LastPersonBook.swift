import CloudKit

/// The one record `lastPerson` of type `Person` in the private default zone: who wrote a name last.
public struct LastPersonBook: Sendable {
    public static let containerIdentifier = "iCloud.org.cumulet.LastPerson"
    static let recordID = CKRecord.ID(recordName: "lastPerson")
    static let recordType = "Person"
    static let nameKey = "name"

    private let database: CKDatabase

    public init(container: CKContainer = CKContainer(identifier: containerIdentifier)) {
        database = container.privateCloudDatabase
    }

    /// The name that was written last, or `nil` when nobody has written one.
    public func lastName() async throws -> String? {
        do {
            return try await database.record(for: Self.recordID)[Self.nameKey] as? String
        } catch let error as CKError where error.code == .unknownItem {
            return nil
        }
    }

    /// Writes a name over whatever is there: the last writer wins, so the record's change tag does not matter.
    public func write(_ name: String) async throws {
        let record = CKRecord(recordType: Self.recordType, recordID: Self.recordID)
        record[Self.nameKey] = name
        let operation = CKModifyRecordsOperation(recordsToSave: [record])
        operation.savePolicy = .changedKeys
        operation.qualityOfService = .userInitiated
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            operation.modifyRecordsResultBlock = { result in
                continuation.resume(with: result.mapError { Self.cause(of: $0) })
            }
            database.add(operation)
        }
    }

    /// The error of the record itself where the operation's error only says that some item failed.
    public static func cause(of error: any Error) -> any Error {
        guard let error = error as? CKError, error.code == .partialFailure,
            let cause = error.partialErrorsByItemID?[recordID] ?? error.partialErrorsByItemID?.values.first
        else { return error }
        return cause
    }
}
