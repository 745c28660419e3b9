import Foundation

extension CKContainer {
    @available(*, deprecated, message: "no longer supported; share with people by shareParticipant(forEmailAddress:)")
    public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
        try await identity(CKUserIdentity.LookupInfo(emailAddress: email))
    }

    @available(*, deprecated, message: "no longer supported; share with people by shareParticipant(forPhoneNumber:)")
    public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
        try await identity(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber))
    }

    @available(*, deprecated, message: "no longer supported; share with people by shareParticipant(forUserRecordID:)")
    public func userIdentity(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKUserIdentity? {
        try await identity(CKUserIdentity.LookupInfo(userRecordID: userRecordID))
    }

    @available(*, deprecated, message: "no longer supported; share with people by fetchShareParticipant")
    public func discoverUserIdentity(
        withEmailAddress email: String, completionHandler: @escaping (CKUserIdentity?, (any Error)?) -> Void
    ) {
        discover(CKUserIdentity.LookupInfo(emailAddress: email), completionHandler)
    }

    @available(*, deprecated, message: "no longer supported; share with people by fetchShareParticipant")
    public func discoverUserIdentity(
        withPhoneNumber phoneNumber: String, completionHandler: @escaping (CKUserIdentity?, (any Error)?) -> Void
    ) {
        discover(CKUserIdentity.LookupInfo(phoneNumber: phoneNumber), completionHandler)
    }

    @available(*, deprecated, message: "no longer supported; share with people by fetchShareParticipant")
    public func discoverUserIdentity(
        withUserRecordID userRecordID: CKRecord.ID, completionHandler: @escaping (CKUserIdentity?, (any Error)?) -> Void
    ) {
        discover(CKUserIdentity.LookupInfo(userRecordID: userRecordID), completionHandler)
    }

    @available(
        *, deprecated, message: "no longer supported; share with people by shareParticipants(forEmailAddresses:)"
    )
    public func userIdentities(forEmailAddresses emails: [String]) async throws -> [String: CKUserIdentity] {
        try await identities(emails, CKUserIdentity.LookupInfo.init(emailAddress:))
    }

    @available(*, deprecated, message: "no longer supported; share with people by shareParticipants(forPhoneNumbers:)")
    public func userIdentities(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: CKUserIdentity] {
        try await identities(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:))
    }

    @available(*, deprecated, message: "no longer supported; share with people by shareParticipants(forUserRecordIDs:)")
    public func userIdentities(
        forUserRecordIDs userRecordIDs: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: CKUserIdentity] {
        try await identities(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:))
    }

    @available(*, deprecated, message: "no longer supported; share with people by fetchShareParticipants")
    @preconcurrency
    public func discoverUserIdentities(
        forEmailAddresses emails: [String],
        completionHandler: @escaping (Result<[String: CKUserIdentity], any Error>) -> Void
    ) {
        deliver(
            { try await self.identities(emails, CKUserIdentity.LookupInfo.init(emailAddress:)) }, to: completionHandler)
    }

    @available(*, deprecated, message: "no longer supported; share with people by fetchShareParticipants")
    @preconcurrency
    public func discoverUserIdentities(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler: @escaping (Result<[String: CKUserIdentity], any Error>) -> Void
    ) {
        deliver(
            { try await self.identities(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:)) },
            to: completionHandler)
    }

    @available(*, deprecated, message: "no longer supported; share with people by fetchShareParticipants")
    @preconcurrency
    public func discoverUserIdentities(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler: @escaping (Result<[CKRecord.ID: CKUserIdentity], any Error>) -> Void
    ) {
        deliver(
            { try await self.identities(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:)) },
            to: completionHandler)
    }

    private func identity(_ info: CKUserIdentity.LookupInfo) async throws -> CKUserIdentity? {
        try await client.userIdentities([info]).first?.1
    }

    private func discover(
        _ info: CKUserIdentity.LookupInfo, _ handler: @escaping (CKUserIdentity?, (any Error)?) -> Void
    ) {
        deliver({ try await self.identity(info) }) { (result: Result<CKUserIdentity?, any Error>) in
            handler(result.value ?? nil, result.error)
        }
    }

    private func identities<Key: Hashable>(
        _ keys: [Key], _ info: (Key) -> CKUserIdentity.LookupInfo
    ) async throws -> [Key: CKUserIdentity] {
        let keys = Dictionary(keys.map { (info($0), $0) }) { first, _ in first }
        var found: [Key: CKUserIdentity] = [:]
        for (info, identity) in try await client.userIdentities(Array(keys.keys)) {
            if let key = keys[info] { found[key] = identity }
        }
        return found
    }
}
