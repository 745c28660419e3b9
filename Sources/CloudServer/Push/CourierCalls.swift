import CloudCore
import CloudStorage
import HTTPCore

/// The long poll of a push token.
struct CourierCalls: Sendable {
    let store: CloudStore
    let configuration: ServiceConfiguration
    let courier: Courier

    private static let longestListener = 64

    /// One push with its number in `X-Cumulet-Push-Sequence`, or an empty body when none came in time.
    func poll(_ target: RequestTarget, uuid: String) async throws -> HTTPResponse {
        let token = target.token("tok") ?? ""
        var after: Int64?
        if let text = target["after"] {
            guard let number = Int64(text), number >= 0 else {
                throw CloudError(.badRequest, "after must be a push sequence number", nativeCode: 12)
            }
            after = number
        }
        let listener = target["listener"] ?? ""
        guard listener.utf8.count <= Self.longestListener else {
            throw CloudError(
                .badRequest,
                "listener has \(listener.utf8.count) bytes; at most \(Self.longestListener) are allowed", nativeCode: 12
            )
        }
        let known = try await store.read { transaction in
            try transaction.pushTokenID(token)
                ?? (AnonymousPushToken.isGood(token, secret: transaction.secret)
                    ? AnonymousPushToken.number(of: token) : nil)
        }
        guard let id = known else { throw CloudError(.notFound, "the push token is unknown", nativeCode: 11) }
        guard let ticket = courier.begin(token: id, listener: listener, longest: configuration.longestPoll) else {
            return ServiceReply.empty(uuid: uuid)
        }
        defer { courier.end(ticket) }
        repeat {
            if let push = try await next(token, id, after: after) {
                if push.isEnd { break }
                var response = ServiceReply.json(push.payload, uuid: uuid)
                response.headers.append("X-Cumulet-Push-Sequence", String(push.sequence))
                return response
            }
        } while await courier.wait(ticket)
        return ServiceReply.empty(uuid: uuid)
    }

    /// With a place in the log the push stays; without one it is taken away. Only a push that is there costs a write.
    private func next(_ token: String, _ id: Int64, after: Int64?) async throws -> WaitingPush? {
        let waiting = try await store.read { try $0.waitingPush(id, after: after ?? 0) }
        guard after == nil, let waiting, !waiting.isEnd else { return waiting }
        return try await store.write { try $0.nextPush(token: token, after: nil) }
    }
}
