import CloudCore
import HTTPCore
import Synchronization

/// Takes the bodies of requests in. One of some size comes as a stream, so that it is taken only from those who may ask.
final class RequestBodies: Sendable {
    /// Bytes from which on a body is streamed. Smaller ones have mostly come along with the head.
    private static let streamed = 64 * 1024
    /// Bytes of all bodies that are being taken in.
    private static let together = 256 * 1_048_576

    private let limit: Int
    private let waiting = Mutex(0)

    /// - Parameter limit: Bytes of one body.
    init(limit: Int) { self.limit = limit }

    /// Whether the body is to come as a stream.
    static func areStreamed(of head: HTTPRequest) -> Bool {
        if head.headers["Transfer-Encoding"] != nil { return true }
        guard let length = head.headers["Content-Length"] else { return false }
        return Int(length).map { $0 > streamed } ?? false
    }

    /// The whole body; `nil` when it is over the limit.
    /// - Throws: `TRY_AGAIN_LATER` when too much is on its way, `BAD_REQUEST` when the body ends before it is whole.
    func whole(of request: HTTPRequest) async throws(CloudError) -> [UInt8]? {
        guard let stream = request.stream else { return request.body.count <= limit ? request.body : nil }
        let length = request.headers["Content-Length"].flatMap { Int($0) } ?? 0
        if length > limit { return nil }
        var body: [UInt8] = []
        body.reserveCapacity(length)
        defer { waiting.withLock { $0 -= body.count } }
        do {
            while let piece = try await stream.next() {
                if body.count + piece.count > limit { return nil }
                body += piece
                let sum = waiting.withLock { sum in
                    sum += piece.count
                    return sum
                }
                if sum > Self.together {
                    throw CloudError(
                        .tryAgainLater, "too many large requests are under way; try again", nativeCode: 6,
                        retryAfter: 1)
                }
            }
        } catch let error as HTTPBodyError {
            throw CloudError(.badRequest, "the request's body ended early: \(error.description)", nativeCode: 12)
        } catch let error as CloudError {
            throw error
        } catch {
            throw CloudError(.internalError, "internal error", nativeCode: 1)
        }
        return body
    }
}
