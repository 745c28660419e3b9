import CloudCore
import CloudCrypto
import CloudStorage
import CloudWire

/// Our own calls for devices.
enum AccountCall: String, Sendable {
    case signIn = "sign-in"
    case webToken = "web-token"
    case signOut = "sign-out"
}

/// Signs devices in and out and gives them web tokens.
struct AccountCalls: Sendable {
    let store: CloudStore
    let configuration: ServiceConfiguration
    let authenticator: Authenticator
    let guardian: SignInGuard

    func perform(_ call: AccountCall, _ body: [UInt8]) async throws -> [UInt8] {
        switch call {
        case .signIn: try await signIn(try SignInRequest.decode(body)).encode()
        case .webToken: try await webToken(try WebTokenRequest.decode(body)).encode()
        case .signOut: try await signOut(try SignOutRequest.decode(body)).encode()
        }
    }

    private func signIn(_ request: SignInRequest) async throws -> SignInResponse {
        for (name, value) in [("deviceID", request.deviceID), ("deviceName", request.deviceName)]
        where name == "deviceID" || !value.isEmpty {
            guard let violation = NameRule.labelViolation(in: value, of: name) else { continue }
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        let account = try await guardian.account(email: request.emailAddress, password: request.password)
        let session = try await store.write {
            try $0.startDeviceSession(
                account: account.id, deviceID: request.deviceID, deviceName: request.deviceName)
        }
        return SignInResponse(deviceSession: session, accountName: account.email)
    }

    /// The device tells its owner to sign in again.
    private static let unknownDevice = CloudError(
        .authenticationFailed, "Authentication failed: deviceSession is not one of a signed-in device", nativeCode: 36)

    private func webToken(_ request: WebTokenRequest) async throws -> WebTokenResponse {
        try ContainerNames.check(request.container.rawValue)
        guard request.environment == .development else {
            throw CloudError(.badRequest, "the production environment is not available yet", nativeCode: 12)
        }
        // Nobody learns from the answer whether a container exists before his device is known.
        try await store.read { transaction in
            guard try transaction.deviceSession(request.deviceSession) != nil else { throw Self.unknownDevice }
            try ContainerUse.check(request.container, in: transaction)
        }
        if let apiToken = request.ckAPIToken {
            try await authenticator.authorize(
                apiToken, container: request.container, environment: request.environment)
        }
        let lifetime = configuration.webSessionLifetime
        return try await store.write { transaction in
            guard let device = try transaction.deviceSession(request.deviceSession) else {
                throw Self.unknownDevice
            }
            try ContainerUse.require(request.container, in: transaction)
            let session = try transaction.startWebSession(
                account: device.account, container: request.container, environment: request.environment,
                deviceSession: device.id, lifetime: lifetime)
            return WebTokenResponse(
                ckWebAuthToken: transaction.webAuthToken(for: session), userRecordName: session.userName)
        }
    }

    private func signOut(_ request: SignOutRequest) async throws -> EmptyBody {
        try await store.write { try $0.endDeviceSession(request.deviceSession) }
        authenticator.forget()  // at once: the next request must not find what this one ended
        return EmptyBody()
    }
}
