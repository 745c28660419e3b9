package import CloudCore

/// One share of `records/resolve`, `records/accept` or `records/requestaccess`, by what its URL says.
package struct WireShareLink: Hashable, Sendable {
    /// The short GUID.
    package var value: String
    /// Of a one-time URL; our addition.
    package var invitationToken: String?
    package var shouldFetchRootRecord: Bool
    package var rootRecordDesiredKeys: [String]?

    package init(
        value: String, invitationToken: String? = nil, shouldFetchRootRecord: Bool = false,
        rootRecordDesiredKeys: [String]? = nil
    ) {
        self.value = value
        self.invitationToken = invitationToken
        self.shouldFetchRootRecord = shouldFetchRootRecord
        self.rootRecordDesiredKeys = rootRecordDesiredKeys
    }
}

/// `records/resolve`, `records/accept` and, of ours, `records/requestaccess`
package struct ShareLinksRequest: Hashable, Sendable {
    package var shortGUIDs: [WireShareLink]
    package init(shortGUIDs: [WireShareLink]) { self.shortGUIDs = shortGUIDs }
}

package typealias RecordsResolveRequest = ShareLinksRequest
package typealias RecordsAcceptRequest = ShareLinksRequest
package typealias RecordsRequestAccessRequest = ShareLinksRequest

/// What a share's URL leads to.
package struct WireShareMetadata: Hashable, Sendable {
    package var link: WireShareLink
    package var container: ContainerID
    package var environment: CloudEnvironment
    /// `private` for the owner, `shared` for everybody else.
    package var scope: DatabaseScope
    package var zone: ZoneID
    /// Of a share of a whole zone: the name of the share record.
    package var rootRecordName: String
    package var rootRecord: Record?
    package var share: Record
    package var owner: UserIdentity
    package var role: ParticipantRole
    package var status: AcceptanceStatus
    package var permission: SharePermission
    package var webpageURL: String?

    package init(
        link: WireShareLink, container: ContainerID, environment: CloudEnvironment, scope: DatabaseScope, zone: ZoneID,
        rootRecordName: String, rootRecord: Record? = nil, share: Record, owner: UserIdentity, role: ParticipantRole,
        status: AcceptanceStatus, permission: SharePermission, webpageURL: String? = nil
    ) {
        self.link = link
        self.container = container
        self.environment = environment
        self.scope = scope
        self.zone = zone
        self.rootRecordName = rootRecordName
        self.rootRecord = rootRecord
        self.share = share
        self.owner = owner
        self.role = role
        self.status = status
        self.permission = permission
        self.webpageURL = webpageURL
    }
}

/// One item of an answer's `results`.
package enum ShareItem: Hashable, Sendable {
    case metadata(WireShareMetadata)
    case failure(WireShareLink, CloudError, uuid: String)
}

/// The answer of `records/resolve` and `records/accept`: one item per link, in order.
package struct ShareMetadataResponse: Hashable, Sendable {
    package var results: [ShareItem]
    package init(results: [ShareItem]) { self.results = results }
}

package typealias RecordsResolveResponse = ShareMetadataResponse
package typealias RecordsAcceptResponse = ShareMetadataResponse

/// The answer of `records/requestaccess`: one item per link, in order.
package struct RecordsRequestAccessResponse: Hashable, Sendable {
    package enum Item: Hashable, Sendable {
        /// Says nothing of what became of the request, or whether there is such a share.
        case sent(WireShareLink)
        case failure(WireShareLink, CloudError, uuid: String)
    }

    package var results: [Item]
    package init(results: [Item]) { self.results = results }
}
