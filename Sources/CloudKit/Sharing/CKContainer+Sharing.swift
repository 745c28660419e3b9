public import Foundation

extension CKContainer {
    // MARK: - Where share URLs lead

    @discardableResult
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        try await shareMetadatas(for: [url]).only(url)
    }

    public func fetchShareMetadata(
        with url: URL, completionHandler: @escaping (CKShare.Metadata?, (any Error)?) -> Void
    ) {
        deliver({ try await self.shareMetadata(for: url) }, to: completionHandler)
    }

    public func shareMetadatas(for urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        try await Dictionary(client.shareMetadatas(urls.uniqued())) { first, _ in first }
    }

    @preconcurrency
    public func fetchShareMetadatas(
        for urls: [URL],
        completionHandler: @escaping (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) -> Void
    ) {
        deliver({ try await self.shareMetadatas(for: urls) }, to: completionHandler)
    }

    // MARK: - Taking part

    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        try await accept([metadata]).only(metadata)
    }

    public func accept(_ metadata: CKShare.Metadata, completionHandler: @escaping (CKShare?, (any Error)?) -> Void) {
        deliver({ try await self.accept(metadata) }, to: completionHandler)
    }

    @discardableResult
    public func accept(
        _ metadatas: [CKShare.Metadata]
    ) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
        try await Dictionary(client.accept(metadatas.uniqued())) { first, _ in first }
    }

    @preconcurrency
    public func accept(
        _ metadatas: [CKShare.Metadata],
        completionHandler: @escaping (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) -> Void
    ) {
        deliver({ try await self.accept(metadatas) }, to: completionHandler)
    }

    // MARK: - Inviting

    @discardableResult
    public func shareParticipant(forEmailAddress emailAddress: String) async throws -> CKShare.Participant {
        try await shareParticipants(forEmailAddresses: [emailAddress]).only(emailAddress)
    }

    public func fetchShareParticipant(
        withEmailAddress emailAddress: String, completionHandler: @escaping (CKShare.Participant?, (any Error)?) -> Void
    ) {
        deliver({ try await self.shareParticipant(forEmailAddress: emailAddress) }, to: completionHandler)
    }

    @discardableResult
    public func shareParticipant(forPhoneNumber phoneNumber: String) async throws -> CKShare.Participant {
        try await shareParticipants(forPhoneNumbers: [phoneNumber]).only(phoneNumber)
    }

    public func fetchShareParticipant(
        withPhoneNumber phoneNumber: String, completionHandler: @escaping (CKShare.Participant?, (any Error)?) -> Void
    ) {
        deliver({ try await self.shareParticipant(forPhoneNumber: phoneNumber) }, to: completionHandler)
    }

    @discardableResult
    public func shareParticipant(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKShare.Participant {
        try await shareParticipants(forUserRecordIDs: [userRecordID]).only(userRecordID)
    }

    public func fetchShareParticipant(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping (CKShare.Participant?, (any Error)?) -> Void
    ) {
        deliver({ try await self.shareParticipant(forUserRecordID: userRecordID) }, to: completionHandler)
    }

    public func shareParticipants(
        forEmailAddresses emails: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        try await participants(emails, CKUserIdentity.LookupInfo.init(emailAddress:))
    }

    @preconcurrency
    public func fetchShareParticipants(
        forEmailAddresses emails: [String],
        completionHandler: @escaping (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        deliver({ try await self.shareParticipants(forEmailAddresses: emails) }, to: completionHandler)
    }

    public func shareParticipants(
        forPhoneNumbers phoneNumbers: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        try await participants(phoneNumbers, CKUserIdentity.LookupInfo.init(phoneNumber:))
    }

    @preconcurrency
    public func fetchShareParticipants(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler: @escaping (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        deliver({ try await self.shareParticipants(forPhoneNumbers: phoneNumbers) }, to: completionHandler)
    }

    public func shareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<CKShare.Participant, any Error>] {
        try await participants(userRecordIDs, CKUserIdentity.LookupInfo.init(userRecordID:))
    }

    @preconcurrency
    public func fetchShareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler: @escaping (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        deliver({ try await self.shareParticipants(forUserRecordIDs: userRecordIDs) }, to: completionHandler)
    }

    private func participants<Key: Hashable>(
        _ keys: [Key], _ info: (Key) -> CKUserIdentity.LookupInfo
    ) async throws -> [Key: Result<CKShare.Participant, any Error>] {
        let keys = keys.uniqued()
        let results = try await client.shareParticipants(keys.map(info))
        return Dictionary(uniqueKeysWithValues: zip(keys, results.map(\.1)))
    }
}
