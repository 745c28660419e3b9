import CloudCore
import CloudStorage
import CloudWire

/// Name and address are told only of a user who is discoverable.
enum UsersCaller: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> UsersCallerResponse
    {
        let name = try call.actor.name
        guard let user = try call.discoverableCaller(in: transaction) else {
            return UsersCallerResponse(userRecordName: name)
        }
        return UsersCallerResponse(
            userRecordName: name, nameComponents: user.account.name, lookup: .emailAddress(user.account.email))
    }
}

extension Call {
    /// The caller, if he is a person who may be known by name in the container.
    func discoverableCaller(in transaction: CloudTransaction) throws -> KnownUser? {
        let user = try transaction.user(matching: .userRecordName(actor.name), in: container)
        return user?.isDiscoverable == true ? user : nil
    }
}
