import CloudCore
import CloudCrypto
package import CloudStorage
import CloudWire

/// What only the administrator may do.
package enum AdminCall: String, Sendable {
    case accountAdd = "account-add"
    case accountList = "account-list"
    case accountSet = "account-set"
    case accountDisable = "account-disable"
    case accountEnable = "account-enable"
    case accountRemove = "account-remove"
    case accountPurge = "account-purge"
    case containerCreate = "container-create"
    case tokenCreate = "token-create"
    case tokenRevoke = "token-revoke"
    case keyAdd = "key-add"
    case keyList = "key-list"
    case keyRevoke = "key-revoke"
}

/// Carries out the administrator's calls, for a service that runs or on a store that no service has open.
package struct AdminCalls: Sendable {
    private let store: CloudStore
    /// Called when callers ended: the next request must not find what this process remembers of them.
    private let callersEnded: @Sendable () -> Void

    package init(store: CloudStore, callersEnded: @escaping @Sendable () -> Void = {}) {
        self.store = store
        self.callersEnded = callersEnded
    }

    /// - Returns: The answer's body.
    package func perform(_ call: AdminCall, _ body: [UInt8]) async throws -> [UInt8] {
        switch call {
        case .accountAdd: try await addAccount(try AdminAccountAddRequest.decode(body)).encode()
        case .accountList: try await listAccounts(try AdminAccountListRequest.decode(body)).encode()
        case .accountSet: try await setAccount(try AdminAccountSetRequest.decode(body)).encode()
        case .accountDisable: try await setAccount(try AdminAccountRequest.decode(body), isDisabled: true).encode()
        case .accountEnable: try await setAccount(try AdminAccountRequest.decode(body), isDisabled: false).encode()
        case .accountRemove: try await removeAccount(try AdminAccountRequest.decode(body)).encode()
        case .accountPurge: try await purgeAccount(try AdminAccountPurgeRequest.decode(body)).encode()
        case .containerCreate: try await createContainer(try AdminContainerCreateRequest.decode(body)).encode()
        case .tokenCreate: try await createToken(try AdminTokenCreateRequest.decode(body)).encode()
        case .tokenRevoke: try await revokeToken(try AdminTokenRevokeRequest.decode(body)).encode()
        case .keyAdd: try await addKey(try AdminKeyAddRequest.decode(body)).encode()
        case .keyList: try await listKeys(try AdminKeyListRequest.decode(body)).encode()
        case .keyRevoke: try await revokeKey(try AdminKeyRevokeRequest.decode(body)).encode()
        }
    }

    // MARK: - Accounts

    private func addAccount(_ request: AdminAccountAddRequest) async throws -> EmptyBody {
        let hash = try await hash(request.password)
        try await store.write {
            _ = try $0.addAccount(
                email: request.emailAddress, phone: request.phoneNumber, name: request.nameComponents,
                isDiscoverable: request.isDiscoverable, passwordHash: hash)
        }
        return EmptyBody()
    }

    private static let accountsPerAnswer = 500

    private func listAccounts(_ request: AdminAccountListRequest) async throws -> AdminAccountListResponse {
        let accounts = try await store.read {
            try $0.accounts(after: request.after ?? "", limit: Self.accountsPerAnswer)
        }
        return AdminAccountListResponse(
            accounts: accounts.map { account in
                AdminAccount(
                    emailAddress: account.email, phoneNumber: account.phone, nameComponents: account.name,
                    isDiscoverable: account.isDiscoverable, isDisabled: account.isDisabled, created: account.created)
            }, moreComing: accounts.count == Self.accountsPerAnswer)
    }

    private func setAccount(_ request: AdminAccountSetRequest) async throws -> EmptyBody {
        let hash = try await hash(request.password)
        try await store.write { transaction in
            let account = try transaction.requireAccount(email: request.emailAddress)
            if let container = request.container {
                guard try transaction.containerExists(container) else {
                    throw CloudError(.notFound, "there is no container \(container)")
                }
                guard let isDiscoverable = request.isDiscoverable else {
                    throw CloudError(.badRequest, "of one container only isDiscoverable can be set")
                }
                return try transaction.setDiscoverable(isDiscoverable, account: account.id, in: container)
            }
            var changed = AccountChange()
            changed.email = request.newEmailAddress
            changed.phone = request.phoneNumber
            changed.name = request.nameComponents
            changed.isDiscoverable = request.isDiscoverable
            changed.passwordHash = hash
            try transaction.changeAccount(account, changed)
        }
        if hash != nil { callersEnded() }
        return EmptyBody()
    }

    private func setAccount(_ request: AdminAccountRequest, isDisabled: Bool) async throws -> EmptyBody {
        try await store.write { transaction in
            try transaction.setDisabled(isDisabled, account: transaction.requireAccount(email: request.emailAddress))
        }
        callersEnded()
        return EmptyBody()
    }

    private func removeAccount(_ request: AdminAccountRequest) async throws -> EmptyBody {
        try await store.write { transaction in
            try transaction.removeAccount(transaction.requireAccount(email: request.emailAddress))
        }
        callersEnded()
        try await store.finishErasures()
        return EmptyBody()
    }

    private func purgeAccount(_ request: AdminAccountPurgeRequest) async throws -> EmptyBody {
        guard try await store.read({ try $0.containerExists(request.container) }) else {
            throw CloudError(.notFound, "there is no container '\(request.container.rawValue)'", nativeCode: 11)
        }
        try await store.purge(
            email: request.emailAddress, container: request.container, environment: request.environment)
        return EmptyBody()
    }

    private func hash(_ password: String?) async throws -> String? {
        guard let password else { return nil }
        if password.isEmpty { throw CloudError(.badRequest, "the password must not be empty", nativeCode: 12) }
        return await Task.detached { PasswordHash.make(password) }.value
    }

    // MARK: - Containers, tokens, keys

    private func createContainer(_ request: AdminContainerCreateRequest) async throws -> EmptyBody {
        try ContainerNames.check(request.container.rawValue)
        try await store.write { try $0.createContainer(request.container) }
        return EmptyBody()
    }

    private func createToken(_ request: AdminTokenCreateRequest) async throws -> AdminTokenCreateResponse {
        let origins = try WebOrigin.list(request.allowedOrigins).map(\.description)
        let token = try await store.write {
            try $0.createAPIToken(
                container: request.container, environment: request.environment, name: request.name, origins: origins)
        }
        return AdminTokenCreateResponse(ckAPIToken: token)
    }

    private func revokeToken(_ request: AdminTokenRevokeRequest) async throws -> EmptyBody {
        try await store.write { try $0.revokeAPIToken(request.ckAPIToken) }
        callersEnded()
        return EmptyBody()
    }

    private func addKey(_ request: AdminKeyAddRequest) async throws -> AdminServerKey {
        if !request.name.isEmpty, let violation = NameRule.labelViolation(in: request.name, of: "name") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        let publicKey: P256PublicKey
        do {
            publicKey = try P256PublicKey(pem: request.publicKey)
        } catch {
            throw CloudError(.badRequest, "publicKey: \(error)", nativeCode: 12)
        }
        let key = try await store.write {
            try $0.addServerKey(
                container: request.container, environment: request.environment, name: request.name,
                publicKey: publicKey.der)
        }
        return AdminServerKey(key)
    }

    private func listKeys(_ request: AdminKeyListRequest) async throws -> AdminKeyListResponse {
        AdminKeyListResponse(
            keys: try await store.read { try $0.serverKeys(of: request.container) }.map { AdminServerKey($0) })
    }

    private func revokeKey(_ request: AdminKeyRevokeRequest) async throws -> EmptyBody {
        try await store.write { try $0.revokeServerKey(request.keyID) }
        callersEnded()
        return EmptyBody()
    }
}

extension AdminServerKey {
    fileprivate init(_ key: ServerKey) {
        self.init(
            keyID: key.id, container: key.container, environment: key.environment, name: key.name,
            userRecordName: key.userRecordName, created: key.created)
    }
}
