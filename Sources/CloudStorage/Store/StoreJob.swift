/// A waiting closure.
///
/// A job is owned by one thread at a time: the caller makes it, the queue hands it over under its lock, and only the
/// thread that took it calls it. That is why it may cross threads.
class StoreJob: @unchecked Sendable {
    let isWrite: Bool
    /// What it will read, if that is known. Such a job may be committed with those of other databases.
    let ahead: ReadAhead?
    /// When it began to wait.
    let since = ContinuousClock.now

    init(isWrite: Bool, ahead: ReadAhead? = nil) {
        self.isWrite = isWrite
        self.ahead = ahead
    }

    /// Runs the closure and keeps its result; throws what it throws.
    func run(_ transaction: CloudTransaction) throws {}
    /// Answers the caller: with the failure if there is one, else with the kept result.
    func finish(_ failure: (any Error)?) {}
}

/// A job with a result. Unchecked: as its superclass.
final class StoreJobOf<T: Sendable>: StoreJob, @unchecked Sendable {
    private let body: @Sendable (CloudTransaction) throws -> T
    private let continuation: CheckedContinuation<T, any Error>
    private var result: T?

    init(
        isWrite: Bool, ahead: ReadAhead?, _ continuation: CheckedContinuation<T, any Error>,
        _ body: @escaping @Sendable (CloudTransaction) throws -> T
    ) {
        self.body = body
        self.continuation = continuation
        super.init(isWrite: isWrite, ahead: ahead)
    }

    override func run(_ transaction: CloudTransaction) throws { result = try body(transaction) }

    override func finish(_ failure: (any Error)?) {
        if let failure {
            continuation.resume(throwing: failure)
        } else if let result {
            continuation.resume(returning: result)
        } else {
            preconditionFailure("a job is finished before it ran")
        }
    }
}
