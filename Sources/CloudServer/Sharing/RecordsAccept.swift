import CloudCore
import CloudStorage
import CloudWire

enum RecordsAccept: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: RecordsAcceptRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsAcceptResponse
    {
        let (user, writer) = (try call.user, try call.writer)
        return try ShareLinks.answer(body, for: call, in: transaction) { link in
            try transaction.acceptShare(link, in: call.database, for: user.account, by: writer)
        }
    }
}
