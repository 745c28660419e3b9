public import Foundation

/// Asks owners to be let into their shares. The answer is the same whether there is such a share or not.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
    open var shareURLs: [URL]?
    open var perShareAccessRequestResultBlock: ((URL, Result<Void, any Error>) -> Void)?
    open var shareAccessRequestResultBlock: ((Result<Void, any Error>) -> Void)?

    public override init() { super.init() }

    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform() async {
        do {
            let results = try await containerClient.requestAccess((shareURLs ?? []).uniqued())
            callBack { [self] in
                for (url, result) in results { perShareAccessRequestResultBlock?(url, result) }
                shareAccessRequestResultBlock?(.success(()))
            }
        } catch {
            callBack { [self] in shareAccessRequestResultBlock?(.failure(error)) }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perShareAccessRequestResultBlock = nil
        shareAccessRequestResultBlock = nil
    }
}
