import Foundation

/// Takes part in shares, whose records then are in the shared database.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    open var shareMetadatas: [CKShare.Metadata]?
    open var perShareResultBlock: ((CKShare.Metadata, Result<CKShare, any Error>) -> Void)?
    open var acceptSharesResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use perShareResultBlock")
    open var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)? {
        get { oldShareBlock }
        set { oldShareBlock = newValue }
    }
    /// A partial failure names each share by its URL.
    @available(*, deprecated, message: "use acceptSharesResultBlock")
    open var acceptSharesCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldShareBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    private var oldCompletionBlock: (((any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(shareMetadatas: [CKShare.Metadata]) {
        self.init()
        self.shareMetadatas = shareMetadatas
    }

    override func perform() async {
        do {
            let results = try await containerClient.accept((shareMetadatas ?? []).uniqued())
            callBack { [self] in
                for (metadata, result) in results {
                    if let perShareResultBlock {
                        perShareResultBlock(metadata, result)
                    } else {
                        oldShareBlock?(metadata, result.value, result.error)
                    }
                }
                if let acceptSharesResultBlock { return acceptSharesResultBlock(.success(())) }
                oldCompletionBlock?(CKError.partialFailure(of: results.map { ($0.0.url, $0.1) }))
            }
        } catch {
            callBack { [self] in
                if let acceptSharesResultBlock { return acceptSharesResultBlock(.failure(error)) }
                oldCompletionBlock?(error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perShareResultBlock = nil
        acceptSharesResultBlock = nil
        oldShareBlock = nil
        oldCompletionBlock = nil
    }
}
