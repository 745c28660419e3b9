import Foundation

/// Makes participants of people, to be added to shares. People without an account can be invited too.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
    open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
    open var perShareParticipantResultBlock:
        ((CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?
    open var fetchShareParticipantsResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use perShareParticipantResultBlock")
    open var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)? {
        get { oldParticipantBlock }
        set { oldParticipantBlock = newValue }
    }
    @available(*, deprecated, message: "use fetchShareParticipantsResultBlock")
    open var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldParticipantBlock: ((CKShare.Participant) -> Void)?
    private var oldCompletionBlock: (((any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func perform() async {
        do {
            let results = try await containerClient.shareParticipants((userIdentityLookupInfos ?? []).uniqued())
            callBack { [self] in
                for (info, result) in results {
                    if let perShareParticipantResultBlock {
                        perShareParticipantResultBlock(info, result)
                    } else if let participant = result.value {
                        oldParticipantBlock?(participant)
                    }
                }
                if let fetchShareParticipantsResultBlock { return fetchShareParticipantsResultBlock(.success(())) }
                oldCompletionBlock?(CKError.partialFailure(of: results))
            }
        } catch {
            callBack { [self] in
                if let fetchShareParticipantsResultBlock { return fetchShareParticipantsResultBlock(.failure(error)) }
                oldCompletionBlock?(error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perShareParticipantResultBlock = nil
        fetchShareParticipantsResultBlock = nil
        oldParticipantBlock = nil
        oldCompletionBlock = nil
    }
}
