import CloudCore
import CloudStorage
import CloudWire

enum TokensCreate: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: TokensCreateRequest, for call: Call, in transaction: CloudTransaction) throws
        -> TokensCreateResponse
    {
        if case .anonymous = call.caller {
            return CourierAddress.answer(
                AnonymousPushToken.make(secret: transaction.secret), body.apnsEnvironment, sequence: 0, to: call)
        }
        let user = try call.actor
        let token = try transaction.registerPushToken(
            account: user.account, clientID: try call.client(body.clientID), deviceSession: user.deviceSession)
        return CourierAddress.answer(token.token, body.apnsEnvironment, sequence: token.tail, to: call)
    }
}

enum CourierAddress {
    /// The poll's address. The token stays unescaped: clients use the text as it is, and some mistake a `%`.
    static func make(_ token: String, at serviceURL: String) -> String {
        "\(serviceURL)/device/1/courier?tok=\(token)&ttl=43200"
    }

    static func answer(_ token: String, _ environment: CloudEnvironment, sequence: Int64, to call: Call)
        -> TokensResponse
    {
        TokensResponse(
            apnsEnvironment: environment, apnsToken: token, webcourierURL: make(token, at: call.address.url),
            pushSequence: sequence)
    }
}
