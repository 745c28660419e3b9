import CloudCore
import CloudStorage
import CloudWire

enum UsersCurrent: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> UsersCurrentResponse
    {
        UsersCurrentResponse(userRecordName: try call.user.name)
    }
}
