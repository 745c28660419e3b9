import CloudCore
import CloudStorage
import CloudWire

enum RecordsAccept: ServiceOperation {
    static let isWrite = true

    /// Shares lie with their owners, who are known when the links have been looked up.
    static func changedDatabase(_ body: RecordsAcceptRequest, for call: Call) -> DatabaseID? { nil }

    static func perform(_ body: RecordsAcceptRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsAcceptResponse
    {
        let (user, writer) = (try call.user, try call.writer)
        return try ShareLinks.answer(body, for: call, in: transaction) { link in
            try transaction.acceptShare(link, in: call.database, for: user.account, by: writer)
        }
    }
}
