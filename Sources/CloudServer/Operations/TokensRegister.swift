import CloudCore
import CloudStorage
import CloudWire

enum TokensRegister: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: TokensRegisterRequest, for call: Call, in transaction: CloudTransaction) throws
        -> TokensRegisterResponse
    {
        if case .anonymous = call.caller {
            guard AnonymousPushToken.isGood(body.apnsToken, secret: transaction.secret) else { throw unknownToken }
            return CourierAddress.answer(body.apnsToken, body.apnsEnvironment, sequence: 0, to: call)
        }
        let user = try call.actor
        // Only the client that the token was made for may bind it: nobody's pushes go to somebody else.
        let own = try transaction.registerPushToken(
            account: user.account, clientID: try call.client(body.clientID), deviceSession: user.deviceSession)
        guard own.token == body.apnsToken else { throw unknownToken }
        try transaction.bindPushToken(
            own.token, userName: user.name, container: call.container, environment: call.environment)
        return CourierAddress.answer(own.token, body.apnsEnvironment, sequence: own.tail, to: call)
    }

    private static let unknownToken = CloudError(
        .badRequest, "apnsToken is not one that tokens/create gave this client", nativeCode: 12)
}
