import CloudClient
import Foundation

/// Fetches a web token of the signed-in user, for a program that speaks the Web Services with an API token.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchWebAuthTokenOperation: CKDatabaseOperation, @unchecked Sendable {
    open var apiToken: String?
    open var fetchWebAuthTokenResultBlock: ((Result<String, any Error>) -> Void)?
    @available(*, deprecated, message: "use fetchWebAuthTokenResultBlock")
    open var fetchWebAuthTokenCompletionBlock: ((String?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldCompletionBlock: ((String?, (any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(apiToken APIToken: String) {
        self.init()
        apiToken = APIToken
    }

    override func perform() async {
        let result: Result<String, any Error>
        do {
            guard let apiToken, !apiToken.isEmpty else {
                throw CKError(.invalidArguments, reason: "a fetch of a web token needs the container's API token")
            }
            result = .success(try await target.webToken(for: apiToken))
        } catch {
            result = .failure(error)
        }
        callBack { [self] in
            if let fetchWebAuthTokenResultBlock { return fetchWebAuthTokenResultBlock(result) }
            oldCompletionBlock?(result.value, result.error)
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        fetchWebAuthTokenResultBlock = nil
        oldCompletionBlock = nil
    }
}

extension DatabaseClient {
    /// A new web token for the holder of an API token.
    fileprivate func webToken(for apiToken: String) async throws -> String {
        try await call(isRead: true) {
            context.device.noticeAccount()
            let connection = context.device.connection
            guard let account = try connection.account(for: principal) else {
                throw CKError(.notAuthenticated, reason: "nobody is signed in on this device")
            }
            let address = try connection.address(of: context.container)
            return try await CumuletCalls.webToken(
                server: address.server, deviceSession: account.session, container: address.container,
                environment: address.environment, apiToken: apiToken, transport: connection.transport
            ).token
        }
    }
}
