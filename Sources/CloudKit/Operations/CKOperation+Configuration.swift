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

        open var qualityOfService: QualityOfService {
            get { explicit.qualityOfService ?? .default }
            set { explicit.qualityOfService = newValue }
        }

        open var allowsCellularAccess: Bool {
            get { explicit.allowsCellularAccess ?? true }
            set { explicit.allowsCellularAccess = newValue }
        }

        open var isLongLived: Bool {
            get { explicit.isLongLived ?? false }
            set { explicit.isLongLived = newValue }
        }

        open var timeoutIntervalForRequest: TimeInterval {
            get { explicit.timeoutIntervalForRequest ?? 60 }
            set { explicit.timeoutIntervalForRequest = newValue }
        }

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
    var qualityOfService: QualityOfService = .userInitiated
    var timeoutIntervalForRequest: TimeInterval = 60
    var timeoutIntervalForResource: TimeInterval = .infinity

    /// What convenience calls use.
    init() {}

    init(_ configuration: CKOperation.Configuration, group: CKOperationGroup?) {
        let own = configuration.explicit
        let shared = group?.defaults.explicit
        qualityOfService = own.qualityOfService ?? shared?.qualityOfService ?? .default
        timeoutIntervalForRequest = own.timeoutIntervalForRequest ?? shared?.timeoutIntervalForRequest ?? 60
        timeoutIntervalForResource =
            own.timeoutIntervalForResource ?? shared?.timeoutIntervalForResource
            ?? CKOperation.Configuration.resourceTimeout(for: qualityOfService)
    }
}
