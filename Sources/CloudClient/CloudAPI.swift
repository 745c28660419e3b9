package import CloudCore
package import CloudWire

/// Every operation of the protocol as a function. Splits nothing and decides nothing: one call is one request (with its
/// repetitions), and an item's failure is an item of the answer.
///
/// All functions throw `CloudError` for a refusal of the whole request and `HTTPTransportError` when no answer came.
package struct CloudAPI: Sendable {
    package let connection: CloudConnection
    package let target: CloudTarget
    package let options: CallOptions

    package init(connection: CloudConnection, target: CloudTarget, options: CallOptions = CallOptions()) {
        self.connection = connection
        self.target = target
        self.options = options
    }

    // MARK: - Records

    package func query(_ request: RecordsQueryRequest) async throws -> RecordsQueryResponse {
        try await read("records/query", request.encode()) { bytes throws(WireError) in
            try RecordsQueryResponse.decode(bytes)
        }
    }

    package func lookup(_ request: RecordsLookupRequest) async throws -> [RecordItem] {
        try await read("records/lookup", request.encode()) { bytes throws(WireError) in
            try RecordsLookupResponse.decode(bytes)
        }.records
    }

    package func modify(_ request: RecordsModifyRequest) async throws -> [RecordItem] {
        try await write("records/modify", request.encode()) { bytes throws(WireError) in
            try RecordsModifyResponse.decode(bytes)
        }.records
    }

    /// URLs to send the bytes of assets to, one for each of `tokens`, in order.
    package func uploadTokens(
        _ tokens: [AssetsUploadRequest.Token], in zone: WireZoneID
    ) async throws -> [AssetsUploadResponse.Token] {
        // A URL that nobody uses costs nothing, so asking may be repeated.
        try await read("assets/upload", AssetsUploadRequest(tokens: tokens, zone: zone).encode()) {
            bytes throws(WireError) in
            try AssetsUploadResponse.decode(bytes)
        }.tokens
    }

    // MARK: - Zones

    package func listZones() async throws -> [ZoneItem] {
        try await read("zones/list", EmptyBody().encode()) { bytes throws(WireError) in
            try ZonesListResponse.decode(bytes)
        }.zones
    }

    package func lookupZones(_ zones: [WireZoneID]) async throws -> [ZoneItem] {
        try await read("zones/lookup", ZonesLookupRequest(zones: zones).encode()) { bytes throws(WireError) in
            try ZonesLookupResponse.decode(bytes)
        }.zones
    }

    package func modifyZones(_ operations: [ZoneOperation]) async throws -> [ZoneItem] {
        try await write("zones/modify", ZonesModifyRequest(operations: operations).encode()) {
            bytes throws(WireError) in try ZonesModifyResponse.decode(bytes)
        }.zones
    }

    // MARK: - Changes

    package func databaseChanges(_ request: ChangesDatabaseRequest) async throws -> ChangesDatabaseResponse {
        try await read("changes/database", request.encode()) { bytes throws(WireError) in
            try ChangesDatabaseResponse.decode(bytes)
        }
    }

    package func zoneChanges(_ request: ChangesZoneRequest) async throws -> [ZoneChangesItem] {
        try await read("changes/zone", request.encode()) { bytes throws(WireError) in
            try ChangesZoneResponse.decode(bytes)
        }.zones
    }

    // MARK: - Subscriptions

    package func listSubscriptions() async throws -> [SubscriptionItem] {
        try await read("subscriptions/list", EmptyBody().encode()) { bytes throws(WireError) in
            try SubscriptionsListResponse.decode(bytes)
        }.subscriptions
    }

    package func lookupSubscriptions(_ ids: [String]) async throws -> [SubscriptionItem] {
        let request = SubscriptionsLookupRequest(subscriptionIDs: ids)
        return try await read("subscriptions/lookup", request.encode()) { bytes throws(WireError) in
            try SubscriptionsLookupResponse.decode(bytes)
        }.subscriptions
    }

    package func modifySubscriptions(_ operations: [SubscriptionOperation]) async throws -> [SubscriptionItem] {
        let request = SubscriptionsModifyRequest(operations: operations)
        return try await write("subscriptions/modify", request.encode()) { bytes throws(WireError) in
            try SubscriptionsModifyResponse.decode(bytes)
        }.subscriptions
    }

    // MARK: - Sharing, always by way of the public database

    package func resolveShares(_ links: [WireShareLink]) async throws -> [ShareItem] {
        try await read("records/resolve", RecordsResolveRequest(shortGUIDs: links).encode()) {
            bytes throws(WireError) in
            try RecordsResolveResponse.decode(bytes)
        }.results
    }

    package func acceptShares(_ links: [WireShareLink]) async throws -> [ShareItem] {
        try await write("records/accept", RecordsAcceptRequest(shortGUIDs: links).encode()) { bytes throws(WireError) in
            try RecordsAcceptResponse.decode(bytes)
        }.results
    }

    package func requestAccess(_ links: [WireShareLink]) async throws -> [RecordsRequestAccessResponse.Item] {
        try await write("records/requestaccess", RecordsRequestAccessRequest(shortGUIDs: links).encode()) {
            bytes throws(WireError) in try RecordsRequestAccessResponse.decode(bytes)
        }.results
    }

    // MARK: - Users and push

    /// Users by what they are known by; those who are not found are left out. Asked of the public database.
    /// - Parameter forSharing: Whether also those who are not discoverable, without their names.
    package func discoverUsers(_ lookups: [UserLookup], forSharing: Bool = false) async throws -> [UserIdentity] {
        try await read("users/discover", UsersDiscoverRequest(lookups: lookups, forSharing: forSharing).encode()) {
            bytes throws(WireError) in
            try UsersDiscoverResponse.decode(bytes)
        }.users
    }

    /// The users among the caller's contacts, as far as the service keeps those. Asked of the public database.
    package func contacts() async throws -> [UsersCurrentResponse] {
        try await read("users/lookup/contacts", EmptyBody().encode()) { bytes throws(WireError) in
            try UsersLookupContactsResponse.decode(bytes)
        }.users
    }

    /// The user that the web token stands for. Always asked of the public database.
    package func caller() async throws -> UsersCallerResponse {
        let bytes = try await connection.post(
            "public/users/caller", of: target.container, body: EmptyBody().encode(), isRead: true, options: options)
        do { return try UsersCallerResponse.decode(bytes) } catch {
            throw Refusal.unreadable(error, of: "users/caller")
        }
    }

    /// The device's push token: the same each time.
    package func createPushToken() async throws -> TokensResponse {
        let request = TokensCreateRequest(
            apnsEnvironment: try connection.address(of: target.container).environment,
            clientID: connection.store.settings.deviceID)
        return try await token("tokens/create", request.encode())
    }

    /// Binds a push token to the user and the container.
    package func registerPushToken(_ token: String) async throws -> TokensResponse {
        let request = TokensRegisterRequest(
            apnsEnvironment: try connection.address(of: target.container).environment, apnsToken: token,
            clientID: connection.store.settings.deviceID)
        return try await self.token("tokens/register", request.encode())
    }

    private func token(_ path: String, _ body: [UInt8]) async throws -> TokensResponse {
        let bytes = try await connection.post(
            path, of: target.container, module: "device", body: body, isRead: true, options: options)
        do { return try TokensResponse.decode(bytes) } catch { throw Refusal.unreadable(error, of: path) }
    }

    // MARK: - One way out

    private func read<Answer>(
        _ path: String, _ body: [UInt8], _ decode: ([UInt8]) throws(WireError) -> Answer
    ) async throws -> Answer {
        try await send(path, body, isRead: true, decode)
    }

    private func write<Answer>(
        _ path: String, _ body: [UInt8], _ decode: ([UInt8]) throws(WireError) -> Answer
    ) async throws -> Answer {
        try await send(path, body, isRead: false, decode)
    }

    private func send<Answer>(
        _ path: String, _ body: [UInt8], isRead: Bool, _ decode: ([UInt8]) throws(WireError) -> Answer
    ) async throws -> Answer {
        let bytes = try await connection.post(
            target.scope.pathName + "/" + path, of: target.container, body: body, isRead: isRead, options: options)
        do { return try decode(bytes) } catch { throw Refusal.unreadable(error, of: path) }
    }
}
