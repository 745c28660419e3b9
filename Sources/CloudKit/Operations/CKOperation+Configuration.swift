import CloudClient
public import Foundation

extension CKOperation {
    /// How an operation behaves on the network. What was not set explicitly may come from the operation's group.
    ///
    /// Unchecked: mutable by nature, as Apple's is; operations and groups keep copies of their own.
    open class Configuration: NSObject, NSCopying, @unchecked Sendable {
        private(set) var explicit = Values()

        /// What was set; `nil` where the default holds.
        struct Values {
            var container: CKContainer?
            var qualityOfService: QualityOfService?
            var allowsCellularAccess: Bool?
            var isLongLived: Bool?
            var timeoutIntervalForRequest: TimeInterval?
            var timeoutIntervalForResource: TimeInterval?
        }

        public override init() { super.init() }

        open var container: CKContainer? {
            get { explicit.container }
            set { explicit.container = newValue }
        }

        /// How urgent the work is. Utility and background work is tried again while the network or the service fails,
        /// other work fails at once.
        open var qualityOfService: QualityOfService {
            get { explicit.qualityOfService ?? .default }
            set { explicit.qualityOfService = newValue }
        }

        /// Whether a cellular modem of the machine may be used. While the way to the service goes over one, an operation that may
        /// not use it fails with `networkUnavailable`; one of the quality of service `utility` or `background` waits some minutes
        /// for another way first.
        open var allowsCellularAccess: Bool {
            get { explicit.allowsCellularAccess ?? true }
            set { explicit.allowsCellularAccess = newValue }
        }

        /// Whether a later process can go on with the operation, if this one ends before it: see
        /// ``CKContainer/longLivedOperation(for:)``. Operations that save or fetch records can be kept; others end with
        /// their process. No process works on an operation that nobody has added to it.
        open var isLongLived: Bool {
            get { explicit.isLongLived ?? false }
            set { explicit.isLongLived = newValue }
        }

        /// Seconds to wait for one answer. An operation that waited in vain fails with `networkFailure`, or is tried
        /// again.
        open var timeoutIntervalForRequest: TimeInterval {
            get { explicit.timeoutIntervalForRequest ?? 60 }
            set { explicit.timeoutIntervalForRequest = newValue }
        }

        /// Seconds for a request with all its repetitions.
        open var timeoutIntervalForResource: TimeInterval {
            get { explicit.timeoutIntervalForResource ?? Self.resourceTimeout(for: qualityOfService) }
            set { explicit.timeoutIntervalForResource = newValue }
        }

        open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

        final func duplicate() -> Configuration {
            let copy = Configuration()
            copy.explicit = explicit
            return copy
        }

        /// Seven days, or no limit for work that a person waits for.
        static func resourceTimeout(for quality: QualityOfService) -> TimeInterval {
            quality == .userInteractive || quality == .userInitiated ? .infinity : 7 * 24 * 3600
        }
    }
}

/// A configuration with a group's defaults filled in.
struct CallSettings: Sendable {
    /// For whom it is; `nil` for whoever is signed in when a call begins.
    var principal: Principal?
    var qualityOfService: QualityOfService = .userInitiated
    var timeoutIntervalForRequest: TimeInterval = 60
    var timeoutIntervalForResource: TimeInterval = .infinity
    var allowsCellularAccess = true

    /// What convenience calls use.
    init() {}

    var priority: TaskPriority {
        switch qualityOfService {
        case .userInteractive, .userInitiated: .userInitiated
        case .utility: .utility
        case .background: .background
        default: .medium
        }
    }

    init(_ configuration: CKOperation.Configuration, group: CKOperationGroup?) {
        let own = configuration.explicit
        let shared = group?.defaults.explicit
        qualityOfService = own.qualityOfService ?? shared?.qualityOfService ?? .default
        allowsCellularAccess = own.allowsCellularAccess ?? shared?.allowsCellularAccess ?? true
        timeoutIntervalForRequest = own.timeoutIntervalForRequest ?? shared?.timeoutIntervalForRequest ?? 60
        timeoutIntervalForResource =
            own.timeoutIntervalForResource ?? shared?.timeoutIntervalForResource
            ?? CKOperation.Configuration.resourceTimeout(for: qualityOfService)
    }
}
