package import CloudCore

/// Where one client of an account takes its pushes.
package struct PushToken: Hashable, Sendable {
    package let id: Int64
    /// Standard base64.
    package let token: String
    /// The number of the newest push; 0 before the first.
    package let tail: Int64
}

/// An entry in the log of a push token.
package struct WaitingPush: Hashable, Sendable {
    /// JSON.
    package let payload: [UInt8]
    /// Its number in the log.
    package let sequence: Int64

    /// The number of what ends a log: its token is no more.
    static let end = Int64.max
    package var isEnd: Bool { sequence == Self.end }
}

/// A push on its way to the clients of a user, written in the transaction that causes it.
package struct OutboxEntry: Hashable, Sendable {
    package var container: ContainerID
    package var environment: CloudEnvironment
    package var userName: String
    /// JSON.
    package var payload: [UInt8]
    /// A waiting push with the same key is replaced; empty means never.
    package var collapseKey: String
    /// The client that caused it, which is not told.
    package var originClientID: String?

    package init(
        container: ContainerID, environment: CloudEnvironment, userName: String, payload: [UInt8],
        collapseKey: String, originClientID: String?
    ) {
        self.container = container
        self.environment = environment
        self.userName = userName
        self.payload = payload
        self.collapseKey = collapseKey
        self.originClientID = originClientID
    }
}
