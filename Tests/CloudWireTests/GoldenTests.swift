import CloudWire
import Foundation
import Testing

/// The files in Tests/Fixtures/Wire are bodies as the protocol reference shows them. Reading one and writing it again
/// must give the same document.
struct GoldenTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Wire")

    private static let requests: [String: any WireBody.Type] = [
        "records-query": RecordsQueryRequest.self, "records-lookup": RecordsLookupRequest.self,
        "records-modify": RecordsModifyRequest.self, "records-resolve": RecordsResolveRequest.self,
        "records-accept": RecordsAcceptRequest.self, "records-requestaccess": RecordsRequestAccessRequest.self,
        "zones-lookup": ZonesLookupRequest.self,
        "zones-modify": ZonesModifyRequest.self, "changes-database": ChangesDatabaseRequest.self,
        "changes-zone": ChangesZoneRequest.self, "records-changes": RecordsChangesRequest.self,
        "zones-changes": ChangesDatabaseRequest.self, "subscriptions-lookup": SubscriptionsLookupRequest.self,
        "subscriptions-modify": SubscriptionsModifyRequest.self, "tokens-create": TokensCreateRequest.self,
        "assets-upload": AssetsUploadRequest.self, "assets-rereference": AssetsRereferenceRequest.self,
        "tokens-register": TokensRegisterRequest.self, "sign-in": SignInRequest.self,
        "web-token": WebTokenRequest.self, "sign-out": SignOutRequest.self,
        "admin-account-add": AdminAccountAddRequest.self, "admin-container-create": AdminContainerCreateRequest.self,
        "admin-token-create": AdminTokenCreateRequest.self, "admin-token-revoke": AdminTokenRevokeRequest.self,
        "admin-account-list": AdminAccountListRequest.self, "admin-account-set": AdminAccountSetRequest.self,
        "admin-account-disable": AdminAccountRequest.self, "admin-account-enable": AdminAccountRequest.self,
        "admin-account-remove": AdminAccountRequest.self,
        "admin-account-purge": AdminAccountPurgeRequest.self, "admin-key-add": AdminKeyAddRequest.self,
        "admin-key-list": AdminKeyListRequest.self, "admin-key-revoke": AdminKeyRevokeRequest.self,
        "users-discover": UsersDiscoverRequest.self, "users-lookup-email": UsersLookupRequest.self,
        "users-lookup-id": UsersLookupRequest.self,
    ]

    private static let responses: [String: any WireBody.Type] = [
        "records-query": RecordsQueryResponse.self, "records-lookup": RecordsLookupResponse.self,
        "records-modify": RecordsModifyResponse.self, "records-resolve": RecordsResolveResponse.self,
        "records-accept": RecordsAcceptResponse.self, "records-requestaccess": RecordsRequestAccessResponse.self,
        "zones-list": ZonesListResponse.self,
        "zones-lookup": ZonesLookupResponse.self, "zones-modify": ZonesModifyResponse.self,
        "changes-database": ChangesDatabaseResponse.self, "changes-zone": ChangesZoneResponse.self,
        "records-changes": RecordsChangesResponse.self, "zones-changes": ChangesDatabaseResponse.self,
        "subscriptions-list": SubscriptionsListResponse.self, "subscriptions-lookup": SubscriptionsLookupResponse.self,
        "subscriptions-modify": SubscriptionsModifyResponse.self, "users-caller": UsersCallerResponse.self,
        "users-current": UsersCurrentResponse.self, "tokens-create": TokensCreateResponse.self,
        "assets-upload": AssetsUploadResponse.self, "assets-rereference": AssetsRereferenceResponse.self,
        "asset-host": AssetUploadAnswer.self, "tokens-register": TokensRegisterResponse.self, "error": ErrorBody.self,
        "push": PushPayload.self,
        "sign-in": SignInResponse.self, "web-token": WebTokenResponse.self,
        "admin-token-create": AdminTokenCreateResponse.self, "admin-account-list": AdminAccountListResponse.self,
        "admin-key-add": AdminServerKey.self, "admin-key-list": AdminKeyListResponse.self,
        "users-discover": UsersDiscoverResponse.self, "users-lookup-email": UsersLookupResponse.self,
        "users-lookup-id": UsersLookupResponse.self, "users-lookup-contacts": UsersLookupContactsResponse.self,
    ]

    private static func rewritten<Body: WireBody>(_ type: Body.Type, _ bytes: [UInt8]) throws -> [UInt8] {
        try type.decode(bytes).encode()
    }

    private static var cases: [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }

    @Test func `there is a golden file for every body`() {
        let operations = Set(Self.cases.map { String($0.prefix { $0 != "/" }) })
        #expect(operations == Set(Self.requests.keys).union(Self.responses.keys))
    }

    @Test(arguments: cases)
    func `a body that is read and written again is the same document`(_ name: String) throws {
        let golden = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        let operation = String(name.prefix { $0 != "/" })
        let types = name.hasSuffix(".request.json") ? Self.requests : Self.responses
        let type = try #require(types[operation])
        #expect(try tree(Self.rewritten(type, golden)) == tree(golden))
    }

    @Test(arguments: cases)
    func `a damaged body is read or refused, never more`(_ name: String) throws {
        let golden = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        let types = name.hasSuffix(".request.json") ? Self.requests : Self.responses
        let type = try #require(types[String(name.prefix { $0 != "/" })])
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(state: seed)
        for _ in 0..<60 {
            var damaged = golden
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: damaged.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
                case 1: damaged[index] = bytes("{}[]\",:0-1tn").randomElement(using: &random) ?? 0
                default: damaged.removeSubrange(index..<min(index + 9, damaged.count))
                }
                if damaged.isEmpty { break }
            }
            do {
                _ = try Self.rewritten(type, damaged)
            } catch {
                let text = String(decoding: damaged, as: UTF8.self)
                #expect((error as? WireError)?.reason.isEmpty == false, "seed \(seed): \(text)")
            }
        }
    }
}
