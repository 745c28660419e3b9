import CloudCore
import CloudStorage
import CloudWire

/// A user is not discoverable until he says so, so only the record name is told.
enum UsersCaller: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> UsersCallerResponse
    {
        UsersCallerResponse(userRecordName: try call.user.name)
    }
}
