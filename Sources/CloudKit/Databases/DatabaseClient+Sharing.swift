import CloudClient
import CloudCore
import CloudWire
import Foundation

/// What is asked about shares and people, by way of the public database.
extension DatabaseClient {
    /// What share URLs lead to, in order. One that leads nowhere is that URL's failure.
    func shareMetadatas(
        _ urls: [URL], fetchingRoot: Bool = false, rootKeys: [String]? = nil
    ) async throws -> [(URL, Result<CKShare.Metadata, any Error>)] {
        try await call(isRead: true) {
            var answer = Materialised(viewpoint: try await viewpoint())
            return try await byLink(urls, url: { $0 }) { links in
                let items = try await api.resolveShares(links.map { $0.fetchingRoot(fetchingRoot, keys: rootKeys) })
                let roots = items.compactMap { if case .metadata(let found) = $0 { found.rootRecord } else { nil } }
                answer = try await materialise(records: roots, answer.viewpoint)
                return items
            } result: { url, item in
                switch item {
                case .metadata(let metadata): .success(CKShare.Metadata(metadata, url: url, answer.viewpoint))
                case .failure(_, let error, _): .failure(error)
                }
            }
        }
    }

    /// Takes part in shares, each in its own container, in the order of the containers' first shares.
    func accept(_ metadatas: [CKShare.Metadata]) async throws -> [(CKShare.Metadata, Result<CKShare, any Error>)] {
        try await call(isRead: false) {
            var results: [(CKShare.Metadata, Result<CKShare, any Error>)] = []
            for container in metadatas.map(\.containerIdentifier).uniqued() {
                let client = moved(
                    to: CloudContext(device: context.device, container: ContainerID(container)), scope: .public)
                let viewpoint = try await client.viewpoint()
                let wanted = metadatas.filter { $0.containerIdentifier == container }
                results += try await byLink(wanted, url: \.url) { links in
                    try await client.api.acceptShares(links)
                } result: { metadata, item in
                    switch item {
                    case .metadata(let accepted):
                        .success(CKShare.Metadata(accepted, url: metadata.url, viewpoint).share)
                    case .failure(_, let error, _): .failure(error)
                    }
                }
            }
            return results
        }
    }

    /// Asks the owners of shares to be let in.
    func requestAccess(_ urls: [URL]) async throws -> [(URL, Result<Void, any Error>)] {
        try await call(isRead: false) {
            try await byLink(urls, url: { $0 }) { links in
                try await api.requestAccess(links)
            } result: { _, item in
                switch item {
                case .sent: .success(())
                case .failure(_, let error, _): .failure(error)
                }
            }
        }
    }

    /// Participants for people, in order. Whoever is not found by an address can be invited by it all the same.
    func shareParticipants(
        _ infos: [CKUserIdentity.LookupInfo]
    ) async throws -> [(CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>)] {
        let found = try await userIdentities(infos, forSharing: true)
        let byInfo = Dictionary(found) { first, _ in first }
        return infos.map { info in
            if case .userRecordName(let name) = info.core, byInfo[info] == nil {
                return (info, .failure(CKError(.unknownItem, reason: "there is no user '\(name)'")))
            }
            var identity = byInfo[info]?.core ?? UserIdentity()
            identity.lookup = info.core
            let participant = ShareParticipant(id: UUID().uuidString, identity: identity, status: .unknown)
            return (info, .success(CKShare.Participant(participant)))
        }
    }

    /// The users that are found, with what they were found by.
    func userIdentities(
        _ infos: [CKUserIdentity.LookupInfo], forSharing: Bool = false
    ) async throws -> [(CKUserIdentity.LookupInfo, CKUserIdentity)] {
        guard !infos.isEmpty else { return [] }
        return try await call(isRead: true) {
            try await api.discoverUsers(infos.map(\.core), forSharing: forSharing).compactMap { identity in
                identity.lookup.map { (CKUserIdentity.LookupInfo($0), CKUserIdentity(identity)) }
            }
        }
    }

    func userIdentitiesFromContacts() async throws -> [CKUserIdentity] {
        try await call(isRead: true) {
            try await api.contacts().map { user in
                CKUserIdentity(
                    UserIdentity(
                        userRecordName: user.userRecordName,
                        nameComponents: user.firstName == nil && user.lastName == nil
                            ? nil : NameComponents(givenName: user.firstName, familyName: user.lastName),
                        lookup: user.emailAddress.map { .emailAddress($0) }))
            }
        }
    }

    /// Whether the refusal of a request with one link is about the link, not about who asks or when.
    private static func concernsLink(_ error: CloudError) -> Bool {
        switch error.code {
        case .authenticationFailed, .authenticationRequired, .throttled, .tryAgainLater, .internalError: false
        default: true
        }
    }

    /// Sends the links that URLs hold and gives each answer to its key. A URL that is no share's address is its own failure;
    /// so is the refusal of a request with one link only.
    private func byLink<Key, Item, Value>(
        _ keys: [Key], url: (Key) -> URL, send: ([WireShareLink]) async throws -> [Item],
        result: (Key, Item) -> Result<Value, CloudError>
    ) async throws -> [(Key, Result<Value, any Error>)] {
        let links = keys.map { WireShareLink(url($0)) }
        let known = links.compactMap { $0 }
        var answers: [Result<Item, CloudError>] = []
        if !known.isEmpty {
            do {
                answers = try await send(known).map { .success($0) }
            } catch let error as CloudError where known.count == 1 && Self.concernsLink(error) {
                answers = [.failure(error)]
            }
            guard answers.count == known.count else {
                throw CloudError(
                    .internalError, "asked for \(known.count) shares, the service answered \(answers.count)")
            }
        }
        var rest = answers[...]
        return zip(keys, links).map { key, link in
            guard link != nil else {
                let reason = "'\(url(key))' is not the address of a share"
                return (key, .failure(CKError(.invalidArguments, reason: reason)))
            }
            let answer = rest.removeFirst().flatMap { result(key, $0) }
            return (key, answer.mapError { self.error($0) })
        }
    }
}

extension WireShareLink {
    /// What a share's URL says: `https://HOST/share/GUID`, of a one-time URL with `?invitation=TOKEN`.
    init?(_ url: URL) {
        let parts = url.pathComponents
        guard parts.count >= 2, parts[parts.count - 2] == "share", let guid = parts.last, !guid.isEmpty else {
            return nil
        }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        self.init(value: guid, invitationToken: items?.first { $0.name == "invitation" }?.value)
    }

    fileprivate func fetchingRoot(_ fetches: Bool, keys: [String]?) -> WireShareLink {
        var link = self
        link.shouldFetchRootRecord = fetches
        link.rootRecordDesiredKeys = keys
        return link
    }
}

extension CKShareMetadata {
    /// - Parameter viewpoint: Of the asking container; the records are of the metadata's own database.
    convenience init(_ metadata: WireShareMetadata, url: URL, _ viewpoint: Viewpoint) {
        var inside = viewpoint
        inside.scope = metadata.scope
        let sharing = metadata.share.sharing ?? Sharing()
        self.init(
            url: url, containerIdentifier: metadata.container.rawValue,
            share: CKShare(record: metadata.share, sharing: sharing, inside),
            hierarchicalRootRecordID: sharing.root.map {
                CKRecord.ID(recordName: $0, zoneID: CKRecordZone.ID(metadata.zone, scope: metadata.scope))
            },
            rootRecord: metadata.rootRecord.map { CKRecord.received($0, inside) },
            role: CKShare.ParticipantRole(rawValue: metadata.role.rawValue) ?? .unknown,
            status: CKShare.ParticipantAcceptanceStatus(rawValue: metadata.status.rawValue) ?? .unknown,
            permission: CKShare.ParticipantPermission(rawValue: metadata.permission.rawValue) ?? .unknown,
            ownerIdentity: CKUserIdentity(metadata.owner))
    }
}
