import CloudCore
import CloudCrypto
import CloudStorage
import CloudWire

/// What only the administrator may do.
enum AdminCall: String, Sendable {
    case accountAdd = "account-add"
    case containerCreate = "container-create"
    case tokenCreate = "token-create"
    case tokenRevoke = "token-revoke"
}

struct AdminCalls: Sendable {
    let store: CloudStore
    let configuration: ServiceConfiguration
    let authenticator: Authenticator

    /// - Throws: `ACCESS_DENIED` unless the secret is the configured one.
    func requireAdmin(_ secret: String?) throws(CloudError) {
        guard let secret, let wanted = configuration.adminSecret, !wanted.isEmpty,
            Crypto.equal(Array(secret.utf8), Array(wanted.utf8))
        else { throw CloudError(.accessDenied, "the administrator's secret is needed", nativeCode: 10) }
    }

    func perform(_ call: AdminCall, _ body: [UInt8]) async throws -> [UInt8] {
        switch call {
        case .accountAdd:
            let request = try AdminAccountAddRequest.decode(body)
            if request.password?.isEmpty == true {
                throw CloudError(.badRequest, "the password must not be empty", nativeCode: 12)
            }
            let hash = await Task.detached { request.password.map { PasswordHash.make($0) } }.value
            try await store.write {
                _ = try $0.addAccount(
                    email: request.emailAddress, phone: request.phoneNumber, name: request.nameComponents,
                    isDiscoverable: request.isDiscoverable, passwordHash: hash)
            }
            return EmptyBody().encode()
        case .containerCreate:
            let request = try AdminContainerCreateRequest.decode(body)
            try ContainerNames.check(request.container.rawValue)
            try await store.write { try $0.createContainer(request.container) }
            return EmptyBody().encode()
        case .tokenCreate:
            let request = try AdminTokenCreateRequest.decode(body)
            let origins = try WebOrigin.list(request.allowedOrigins).map(\.description)
            let token = try await store.write {
                try $0.createAPIToken(
                    container: request.container, environment: request.environment, name: request.name,
                    origins: origins)
            }
            return AdminTokenCreateResponse(ckAPIToken: token).encode()
        case .tokenRevoke:
            let request = try AdminTokenRevokeRequest.decode(body)
            try await store.write { try $0.revokeAPIToken(request.ckAPIToken) }
            authenticator.forget()  // at once: the next request must not find it
            return EmptyBody().encode()
        }
    }
}
