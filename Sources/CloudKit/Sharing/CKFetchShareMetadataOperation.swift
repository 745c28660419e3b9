public import Foundation

/// Fetches what share URLs lead to.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    open var shareURLs: [URL]?
    /// Whether to fetch the root records too. The share of a zone has none.
    open var shouldFetchRootRecord = false
    open var rootRecordDesiredKeys: [CKRecord.FieldKey]?
    open var perShareMetadataResultBlock: ((URL, Result<CKShare.Metadata, any Error>) -> Void)?
    open var fetchShareMetadataResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use perShareMetadataResultBlock")
    open var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)? {
        get { oldShareBlock }
        set { oldShareBlock = newValue }
    }
    @available(*, deprecated, message: "use fetchShareMetadataResultBlock")
    open var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldShareBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
    private var oldCompletionBlock: (((any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform() async {
        do {
            let results = try await containerClient.shareMetadatas(
                (shareURLs ?? []).uniqued(), fetchingRoot: shouldFetchRootRecord, rootKeys: rootRecordDesiredKeys)
            callBack { [self] in
                for (url, result) in results {
                    if let perShareMetadataResultBlock {
                        perShareMetadataResultBlock(url, result)
                    } else {
                        oldShareBlock?(url, result.value, result.error)
                    }
                }
                if let fetchShareMetadataResultBlock { return fetchShareMetadataResultBlock(.success(())) }
                oldCompletionBlock?(CKError.partialFailure(of: results))
            }
        } catch {
            callBack { [self] in
                if let fetchShareMetadataResultBlock { return fetchShareMetadataResultBlock(.failure(error)) }
                oldCompletionBlock?(error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perShareMetadataResultBlock = nil
        fetchShareMetadataResultBlock = nil
        oldShareBlock = nil
        oldCompletionBlock = nil
    }
}
