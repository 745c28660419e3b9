import CloudCore
import CloudStorage
import CloudWire

enum TokensRegister: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: TokensRegisterRequest, for call: Call, in transaction: CloudTransaction) throws
        -> TokensRegisterResponse
    {
        let user = try call.user
        // Only the client that the token was made for may bind it: nobody's pushes go to somebody else.
        let own = try transaction.registerPushToken(
            account: user.account, clientID: try call.client(body.clientID), deviceSession: user.deviceSession)
        guard own.token == body.apnsToken else {
            throw CloudError(.badRequest, "apnsToken is not one that tokens/create gave this client", nativeCode: 12)
        }
        try transaction.bindPushToken(
            own.token, userName: user.name, container: call.container, environment: call.environment)
        return TokensRegisterResponse(
            apnsEnvironment: body.apnsEnvironment, apnsToken: own.token,
            webcourierURL: CourierAddress.make(own.token, at: call.serviceURL), pushSequence: own.tail)
    }
}
