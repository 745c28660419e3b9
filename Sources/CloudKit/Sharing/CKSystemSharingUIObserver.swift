public import Foundation
import Synchronization

/// Hears what people do to shares of a container on the screen that the system shows for it, wherever in the app it is shown.
///
/// Each observer calls its blocks on a serial queue of its own, and hears for as long as it is kept.
public final class CKSystemSharingUIObserver: NSObject, Sendable {
    private struct Blocks {
        var didSave: (@Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void)?
        var didStop: (@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)?
    }

    private struct Weak {
        weak var observer: CKSystemSharingUIObserver?
    }

    private static let all = Mutex<[Weak]>([])
    private let container: CKContainer
    private let blocks = Mutex(Blocks())
    private let queue = DispatchQueue(label: "cumulet.sharing-observer")

    public init(container: CKContainer) {
        self.container = container
        super.init()
        Self.all.withLock { all in
            all.removeAll { $0.observer == nil }
            all.append(Weak(observer: self))
        }
    }

    /// The share's identifier, and the saved share or why it could not be saved.
    @preconcurrency public var systemSharingUIDidSaveShareBlock:
        (@Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void)?
    {
        get { blocks.withLock(\.didSave) }
        set { blocks.withLock { $0.didSave = newValue } }
    }

    /// The share's identifier, when it was deleted, or why it could not be.
    @preconcurrency public var systemSharingUIDidStopSharingBlock:
        (@Sendable (CKRecord.ID, Result<Void, any Error>) -> Void)?
    {
        get { blocks.withLock(\.didStop) }
        set { blocks.withLock { $0.didStop = newValue } }
    }

    private static func observers(of container: CKContainer) -> [CKSystemSharingUIObserver] {
        all.withLock { $0.compactMap(\.observer) }.filter {
            $0.container.containerIdentifier == container.containerIdentifier
                && $0.container.context.device === container.context.device
        }
    }

    package static func tell(didSave result: Result<CKShare, any Error>, of id: CKRecord.ID, in container: CKContainer)
    {
        for observer in observers(of: container) {
            observer.queue.async { observer.systemSharingUIDidSaveShareBlock?(id, result) }
        }
    }

    package static func tell(didStop result: Result<Void, any Error>, of id: CKRecord.ID, in container: CKContainer) {
        for observer in observers(of: container) {
            observer.queue.async { observer.systemSharingUIDidStopSharingBlock?(id, result) }
        }
    }
}
