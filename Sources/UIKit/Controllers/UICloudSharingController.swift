public import CloudKit

/// Lets a person say with whom something is shared.
@MainActor
public final class UICloudSharingController: UIViewController {
    /// What a person may choose.
    public struct PermissionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let allowPublic = PermissionOptions(rawValue: 1)
        public static let allowPrivate = PermissionOptions(rawValue: 2)
        public static let allowReadOnly = PermissionOptions(rawValue: 4)
        public static let allowReadWrite = PermissionOptions(rawValue: 8)
    }

    /// Makes the share and saves it, then calls its handler.
    public typealias PreparationHandler = (
        UICloudSharingController, @escaping (CKShare?, CKContainer?, (any Error)?) -> Void
    ) -> Void

    public weak var delegate: (any UICloudSharingControllerDelegate)?
    /// Nothing chosen stands for everything.
    public var availablePermissions: PermissionOptions = []
    public package(set) var share: CKShare?
    package private(set) var container: CKContainer?
    package let preparation: PreparationHandler?

    /// For something that is shared already, or whose share is saved.
    public init(share: CKShare, container: CKContainer) {
        self.share = share
        self.container = container
        preparation = nil
        super.init()
    }

    /// For something that is not shared yet: the share is made when the person begins to share.
    public init(preparationHandler: @escaping PreparationHandler) {
        preparation = preparationHandler
        super.init()
    }

    package func prepared(_ share: CKShare, _ container: CKContainer) {
        self.share = share
        self.container = container
    }
}

/// Hears what became of a share.
@MainActor
public protocol UICloudSharingControllerDelegate: NSObjectProtocol {
    func cloudSharingController(_ csc: UICloudSharingController, failedToSaveShareWithError error: any Error)
    /// What the people who are invited read.
    func itemTitle(for csc: UICloudSharingController) -> String?
    func itemThumbnailData(for csc: UICloudSharingController) -> Data?
    func itemType(for csc: UICloudSharingController) -> String?
    func cloudSharingControllerDidSaveShare(_ csc: UICloudSharingController)
    func cloudSharingControllerDidStopSharing(_ csc: UICloudSharingController)
}

extension UICloudSharingControllerDelegate {
    public func itemThumbnailData(for csc: UICloudSharingController) -> Data? { nil }
    public func itemType(for csc: UICloudSharingController) -> String? { nil }
    public func cloudSharingControllerDidSaveShare(_ csc: UICloudSharingController) {}
    public func cloudSharingControllerDidStopSharing(_ csc: UICloudSharingController) {}
}
