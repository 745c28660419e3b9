import CloudCore
import CloudStorage
import CloudWire

enum RecordsResolve: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: RecordsResolveRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsResolveResponse
    {
        try ShareLinks.answer(body, for: call, in: transaction) { link in
            do {
                return try transaction.resolveShare(link, in: call.environment, for: call.account)
            } catch let error as CloudError {
                throw call.signInRefusal ?? error
            }
        }
    }
}

/// What `records/resolve` and `records/accept` have in common.
enum ShareLinks {
    static func answer(
        _ body: ShareLinksRequest, for call: Call, in transaction: CloudTransaction,
        _ perform: (ShareLink) throws -> ShareMetadata
    ) throws -> ShareMetadataResponse {
        ShareMetadataResponse(
            results: try items(body, for: call, in: transaction) { link, wire in
                .metadata(metadata(try perform(link), wire, call))
            } refused: {
                .failure($0, $1, uuid: UniqueID.make())
            })
    }

    /// One item per link. What is wrong with the only link of a request is wrong with the request.
    static func items<Item>(
        _ body: ShareLinksRequest, for call: Call, in transaction: CloudTransaction,
        _ perform: (ShareLink, WireShareLink) throws -> Item, refused: (WireShareLink, CloudError) -> Item
    ) throws -> [Item] {
        try ItemCount.check(body.shortGUIDs.count, of: "shortGUIDs", in: transaction)
        return try body.shortGUIDs.map { wire in
            let link = ShareLink(shortGUID: wire.value, invitationToken: wire.invitationToken)
            do {
                return try transaction.isWritable
                    ? transaction.savepoint { try perform(link, wire) } : perform(link, wire)
            } catch let error as CloudError where body.shortGUIDs.count > 1 && error.code != .authenticationRequired {
                return refused(wire, error)
            }
        }
    }

    private static func metadata(_ found: ShareMetadata, _ link: WireShareLink, _ call: Call) -> WireShareMetadata {
        WireShareMetadata(
            link: link, container: found.database.container, environment: found.database.environment,
            scope: found.isOwner ? .private : .shared, zone: found.zone,
            rootRecordName: found.rootName ?? found.share.id.name,
            rootRecord: link.shouldFetchRootRecord
                ? found.rootRecord?.keeping(link.rootRecordDesiredKeys.map { Set($0) }) : nil,
            share: found.share, owner: found.owner, role: found.role, status: found.status,
            permission: found.permission, webpageURL: SharePage.address(of: link.value, at: call.address.url))
    }
}
