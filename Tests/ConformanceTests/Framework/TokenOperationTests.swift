import CloudKit
import CloudTestSupport
import Testing

@Suite struct `Fetching a web token` {
    @Test(arguments: CloudSetUp.ways)
    func `a web token fetched for an API token opens the user's database to the Web Services`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let device = try await phones.device("alice@example.com")
            let container = Phones.container(on: device)
            let apiToken = TestCloud.apiToken()
            let token = try await fetchToken(apiToken, of: container).get()
            let encoded = token.map { $0 == "+" ? "%2B" : String($0) }.joined()
            let path =
                "/database/1/\(TestCloud.container)/development/public/users/caller?ckAPIToken=\(apiToken)"
                + "&ckWebAuthToken=\(encoded)"
            let answer = await phones.cloud.request("GET", path)
            #expect(answer.status == 200)
            #expect(answer.body.contains(try await container.userRecordID().recordName))
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `a web token is not to be had for a foreign API token, without one, or without an account`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device("alice@example.com")
            let container = Phones.container(on: device)
            #expect(try await fetchToken("foreign", of: container).code == .notAuthenticated)
            #expect(try await fetchToken("", of: container).code == .invalidArguments)
            try await device.signOut()
            #expect(try await fetchToken(TestCloud.apiToken(), of: container).code == .notAuthenticated)
        }
    }

    private func fetchToken(_ apiToken: String, of container: CKContainer) async throws -> Result<String, any Error> {
        let operation = CKFetchWebAuthTokenOperation(apiToken: apiToken)
        return await withCheckedContinuation { continuation in
            operation.fetchWebAuthTokenResultBlock = { continuation.resume(returning: $0) }
            container.privateCloudDatabase.add(operation)
        }
    }
}
