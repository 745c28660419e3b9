public import Foundation

/// Finds records, one batch at a time.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    /// As many records as the service likes to give.
    public static let maximumResults = 0
    public typealias Cursor = CKQueryCursor

    open var query: CKQuery?
    open var cursor: Cursor?
    open var zoneID: CKRecordZone.ID?
    open var resultsLimit = CKQueryOperation.maximumResults
    open var desiredKeys: [CKRecord.FieldKey]?
    open var recordMatchedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    open var queryResultBlock: ((Result<Cursor?, any Error>) -> Void)?
    @available(*, deprecated, message: "use recordMatchedBlock")
    open var recordFetchedBlock: ((CKRecord) -> Void)? {
        get { oldRecordBlock }
        set { oldRecordBlock = newValue }
    }
    @available(*, deprecated, message: "use queryResultBlock")
    open var queryCompletionBlock: ((Cursor?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldRecordBlock: ((CKRecord) -> Void)?
    private var oldCompletionBlock: ((Cursor?, (any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(query: CKQuery) {
        self.init()
        self.query = query
    }

    public convenience init(cursor: Cursor) {
        self.init()
        self.cursor = cursor
    }

    override func perform() async {
        do {
            let page: DatabaseClient.QueryPage
            if let cursor {
                page = .next(cursor)
            } else if let query {
                page = .first(query, zoneID)
            } else {
                throw CKError(.invalidArguments, reason: "a query operation needs a query or a cursor")
            }
            let found = try await target.query(page, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
            for (id, result) in found.matches {
                callBack { [self] in
                    if let recordMatchedBlock {
                        recordMatchedBlock(id, result)
                    } else if let record = result.value {
                        oldRecordBlock?(record)
                    }
                }
            }
            finish(.success(found.cursor))
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<Cursor?, any Error>) {
        callBack { [self] in
            if let queryResultBlock {
                queryResultBlock(result)
            } else {
                oldCompletionBlock?(result.value ?? nil, result.error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        recordMatchedBlock = nil
        queryResultBlock = nil
        oldRecordBlock = nil
        oldCompletionBlock = nil
    }
}

/// Where a query goes on. Carries the query, its order and its zone, but no keys and no limit.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public final class CKQueryCursor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The request for the next page.
    let encoded: [UInt8]
    let zoneID: CKRecordZone.ID?

    init(_ encoded: [UInt8], zoneID: CKRecordZone.ID?) {
        self.encoded = encoded
        self.zoneID = zoneID
    }

    public static var supportsSecureCoding: Bool { true }

    public init?(coder: NSCoder) {
        guard let data = coder.object(NSData.self, "request") else { return nil }
        encoded = [UInt8](Data(referencing: data))
        zoneID = coder.object(CKRecordZone.ID.self, "zoneID")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSData(data: Data(encoded)), forKey: "request")
        if let zoneID { coder.encode(zoneID, forKey: "zoneID") }
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKQueryCursor)?.encoded == encoded }
    public override var hash: Int { encoded.hashValue }
}
