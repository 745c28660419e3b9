import CloudCore
import CloudStorage
import CloudWire

enum TokensCreate: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: TokensCreateRequest, for call: Call, in transaction: CloudTransaction) throws
        -> TokensCreateResponse
    {
        let user = try call.user
        let token = try transaction.registerPushToken(
            account: user.account, clientID: try call.client(body.clientID), deviceSession: user.deviceSession)
        return TokensCreateResponse(
            apnsEnvironment: body.apnsEnvironment, apnsToken: token.token,
            webcourierURL: CourierAddress.make(token.token, at: call.serviceURL), pushSequence: token.tail)
    }
}

enum CourierAddress {
    /// The poll's address. The token stays unescaped: clients use the text as it is, and some mistake a `%`.
    static func make(_ token: String, at serviceURL: String) -> String {
        "\(serviceURL)/device/1/courier?tok=\(token)&ttl=43200"
    }
}
