import CloudClient
public import Foundation
import Synchronization

/// Work on a container or a database.
///
/// An operation never blocks the thread that starts it. All its blocks run on one serial queue of its own, one at a
/// time, the final one last. Blocks and inputs are set before the start; the blocks are released at the end.
///
/// Unchecked: what runs is guarded by `state`; inputs and blocks are written before the start only, read by the one
/// task that the start makes, and released on the operation's own queue after its last block.
open class CKOperation: Operation, @unchecked Sendable {
    public typealias ID = String

    private struct State {
        var isExecuting = false
        var isFinished = false
        var task: Task<Void, Never>?
        /// Where the operation is kept.
        var store: OperationStore?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "cloudkit.operation")
    private var ownConfiguration = Configuration()

    public final private(set) var operationID: ID = UUID().uuidString
    open var group: CKOperationGroup?
    /// Called when the device keeps the operation, see ``Configuration/isLongLived``.
    open var longLivedOperationWasPersistedBlock: (() -> Void)?

    public override init() { super.init() }

    /// A copy; set the whole object back after changing it. Setting `nil` restores the defaults.
    open var configuration: Configuration! {
        get { ownConfiguration.duplicate() }
        set { ownConfiguration = newValue?.duplicate() ?? Configuration() }
    }

    @available(*, deprecated, message: "use configuration.container")
    open var container: CKContainer? {
        get { ownConfiguration.container }
        set { ownConfiguration.container = newValue }
    }

    /// The configuration's, also by the name that every operation has.
    open override var qualityOfService: QualityOfService {
        get { ownConfiguration.qualityOfService }
        set { ownConfiguration.qualityOfService = newValue }
    }

    /// Whether a cellular modem may be used, see ``Configuration/allowsCellularAccess``.
    @available(*, deprecated, message: "use configuration.allowsCellularAccess")
    open var allowsCellularAccess: Bool {
        get { ownConfiguration.allowsCellularAccess }
        set { ownConfiguration.allowsCellularAccess = newValue }
    }

    /// Whether a later process can go on with the operation, see ``Configuration/isLongLived``.
    @available(*, deprecated, message: "use configuration.isLongLived")
    open var isLongLived: Bool {
        get { ownConfiguration.isLongLived }
        set { ownConfiguration.isLongLived = newValue }
    }

    @available(*, deprecated, message: "use configuration.timeoutIntervalForRequest")
    open var timeoutIntervalForRequest: TimeInterval {
        get { ownConfiguration.timeoutIntervalForRequest }
        set { ownConfiguration.timeoutIntervalForRequest = newValue }
    }

    @available(*, deprecated, message: "use configuration.timeoutIntervalForResource")
    open var timeoutIntervalForResource: TimeInterval {
        get { ownConfiguration.timeoutIntervalForResource }
        set { ownConfiguration.timeoutIntervalForResource = newValue }
    }

    /// The container that the operation was given.
    final var assignedContainer: CKContainer? {
        get { ownConfiguration.container ?? group?.defaults.container }
        set { ownConfiguration.container = newValue }
    }

    /// The container to ask, without a database, with the operation's own settings.
    final var containerClient: DatabaseClient {
        DatabaseClient(context: (assignedContainer ?? .default()).context, scope: .public, settings: callOptions)
    }

    final var callOptions: CallSettings {
        var settings = CallSettings(ownConfiguration, group: group)
        settings.principal = principal
        return settings
    }

    /// Whom the operation works for: whoever was signed in when it was started.
    private final var principal: Principal?

    /// The device that the operation works on.
    var device: CloudDevice { (assignedContainer ?? .default()).context.device }

    // MARK: - For subclasses

    /// Does the work and ends with the final block. Failures go to the blocks.
    func perform() async {
        preconditionFailure("\(type(of: self)) does not say what it does; use one of the framework's operations")
    }

    /// Forgets the blocks, so that one that captures the operation keeps nothing alive.
    func releaseBlocks() { longLivedOperationWasPersistedBlock = nil }

    /// Calls a block after those called before, on the operation's queue.
    final func callBack(_ block: @escaping () -> Void) {
        nonisolated(unsafe) let block = block  // called once, by the operation's queue alone
        queue.async { block() }
    }

    /// The same, for a block that holds much: waits until the blocks before have been called, so that of such
    /// blocks a slow app has one to call while the next one's content comes, and no more.
    final func callBackInTurn(_ block: @escaping () -> Void) async {
        await withCheckedContinuation { waiter in queue.async { waiter.resume() } }
        callBack(block)
    }

    /// Takes the place of an operation that was kept for the account that is signed in.
    final func identify(as id: ID) {
        operationID = id
        principal = device.store.settings.principal
        isResumed = true
    }

    /// Whether another process may have done some of the work.
    final private(set) var isResumed = false

    /// Keeps the operation on the device until it has ended, if it can be kept.
    private func persist() {
        let isLongLived =
            ownConfiguration.explicit.isLongLived ?? group?.defaults.explicit.isLongLived ?? false
        guard isLongLived, let operation = self as? CKDatabaseOperation else { return }
        let device = operation.target.context.device
        // Without room on the disk it is as one that is not long-lived; nobody is told that it is kept.
        guard isResumed || (try? device.keep(operation)) == true else { return }
        RunningOperations.shared.add(self)
        callBack { [self] in longLivedOperationWasPersistedBlock?() }
        state.withLock { $0.store = device.operations }
    }

    // MARK: - Running

    open override var isAsynchronous: Bool { true }
    open override var isExecuting: Bool { state.withLock { $0.isExecuting } }
    open override var isFinished: Bool { state.withLock { $0.isFinished } }

    open override func start() {
        let isFirst = state.withLock { state in
            guard !state.isExecuting, !state.isFinished else { return false }
            state.isExecuting = true
            return true
        }
        guard isFirst else { return }
        if principal == nil { principal = device.store.settings.principal }
        persist()
        let task = Task(priority: callOptions.priority) { [self] in
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            await perform()
            queue.async { self.finish() }
        }
        state.withLock { $0.task = $0.isFinished ? nil : task }
        if isCancelled { task.cancel() }
    }

    open override func cancel() {
        super.cancel()
        state.withLock { $0.task }?.cancel()
    }

    private func finish() {
        if let store = state.withLock({ $0.store }) {
            RunningOperations.shared.remove(operationID)
            store.remove(operationID)
        }
        releaseBlocks()
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        state.withLock { state in
            state.isExecuting = false
            state.isFinished = true
            state.task = nil
        }
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }
}
