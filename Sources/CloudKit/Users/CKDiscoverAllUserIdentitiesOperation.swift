import Foundation

/// Finds the users among the user's contacts. The service is asked for them: one of ours keeps no address books, so it
/// knows of none.
///
/// Unchecked: as its superclass; its blocks follow the same rule.
@available(*, deprecated, message: "no longer supported; share with people by CKFetchShareParticipantsOperation")
open class CKDiscoverAllUserIdentitiesOperation: CKOperation, @unchecked Sendable {
    open var userIdentityDiscoveredBlock: ((CKUserIdentity) -> Void)?
    open var discoverAllUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?
    open var discoverAllUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?

    public override init() { super.init() }

    override func perform() async {
        let result: Result<Void, any Error>
        do {
            let found = try await containerClient.userIdentitiesFromContacts()
            callBack { [self] in for identity in found { userIdentityDiscoveredBlock?(identity) } }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        callBack { [self] in
            if let discoverAllUserIdentitiesResultBlock { return discoverAllUserIdentitiesResultBlock(result) }
            discoverAllUserIdentitiesCompletionBlock?(result.error)
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        userIdentityDiscoveredBlock = nil
        discoverAllUserIdentitiesResultBlock = nil
        discoverAllUserIdentitiesCompletionBlock = nil
    }
}

extension CKContainer {
    /// The users among the user's contacts, as far as the service knows those.
    @available(*, deprecated, message: "no longer supported; share with people by shareParticipant(forEmailAddress:)")
    public func allUserIdentitiesFromContacts() async throws -> [CKUserIdentity] {
        try await client.userIdentitiesFromContacts()
    }

    @available(*, deprecated, message: "no longer supported; share with people by fetchShareParticipant")
    public func discoverAllIdentities(completionHandler: @escaping ([CKUserIdentity]?, (any Error)?) -> Void) {
        let client = client
        deliver({ try await client.userIdentitiesFromContacts() }, to: completionHandler)
    }
}
