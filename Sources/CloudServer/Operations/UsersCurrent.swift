import CloudCore
import CloudStorage
import CloudWire

enum UsersCurrent: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> UsersCurrentResponse
    {
        guard let user = try call.discoverableCaller(in: transaction) else {
            return UsersCurrentResponse(userRecordName: try call.actor.name)
        }
        return UsersCurrentResponse(user)
    }
}

extension UsersCurrentResponse {
    /// Someone who may be known by name.
    init(_ user: KnownUser) {
        self.init(
            userRecordName: user.userRecordName, firstName: user.account.name.givenName,
            lastName: user.account.name.familyName, emailAddress: user.account.email)
    }
}
