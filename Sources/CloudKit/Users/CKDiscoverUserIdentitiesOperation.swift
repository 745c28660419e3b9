import Foundation

/// Finds users who let others find them. Those who are not found are left out.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
@available(*, deprecated, message: "no longer supported; share with people by CKFetchShareParticipantsOperation")
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = []
    open var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
    open var discoverUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    open var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
        self.init()
        self.userIdentityLookupInfos = userIdentityLookupInfos
    }

    override func perform() async {
        let result: Result<Void, any Error>
        do {
            let found = try await containerClient.userIdentities(userIdentityLookupInfos.uniqued())
            callBack { [self] in for (info, identity) in found { userIdentityDiscoveredBlock?(identity, info) } }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        callBack { [self] in
            if let discoverUserIdentitiesResultBlock { return discoverUserIdentitiesResultBlock(result) }
            discoverUserIdentitiesCompletionBlock?(result.error)
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        userIdentityDiscoveredBlock = nil
        discoverUserIdentitiesResultBlock = nil
        discoverUserIdentitiesCompletionBlock = nil
    }
}
