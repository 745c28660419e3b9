import CloudCore
import CloudStorage
import CloudWire

/// Asks for access to shares; our addition to the protocol.
enum RecordsRequestAccess: ServiceOperation {
    static let isWrite = true

    /// Shares lie with their owners, who are known when the links have been looked up.
    static func changedDatabase(_ body: RecordsRequestAccessRequest, for call: Call) -> DatabaseID? { nil }

    static func perform(_ body: RecordsRequestAccessRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsRequestAccessResponse
    {
        let (user, writer) = (try call.user, try call.writer)
        return RecordsRequestAccessResponse(
            results: try ShareLinks.items(body, for: call, in: transaction) { link, wire in
                try transaction.requestAccess(link, in: call.database, for: user.account, by: writer)
                return .sent(wire)
            } refused: {
                .failure($0, $1, uuid: UniqueID.make())
            })
    }
}
