@testable import CloudStorage

/// A job of a test. Unchecked: made, run and read on the test's own thread.
final class TestJob: StoreJob, @unchecked Sendable {
    let body: (CloudTransaction) throws -> Void
    var answer: Result<Void, any Error>?

    init(ahead: ReadAhead? = nil, _ body: @escaping (CloudTransaction) throws -> Void) {
        self.body = body
        super.init(isWrite: true, ahead: ahead)
    }
    override func run(_ transaction: CloudTransaction) throws { try body(transaction) }
    override func finish(_ failure: (any Error)?) { answer = failure.map { .failure($0) } ?? .success(()) }
}
