public import CloudKit

/// A part of what an app shows. Here it is a window of the browser.
@MainActor
open class UIScene: UIResponder {
    /// Why a scene connects.
    @MainActor
    public final class ConnectionOptions {
        /// The share whose invitation the user accepted, if that made the scene.
        public let cloudKitShareMetadata: CKShare.Metadata?
        package init(cloudKitShareMetadata: CKShare.Metadata? = nil) {
            self.cloudKitShareMetadata = cloudKitShareMetadata
        }
    }

    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }

    public let session: UISceneSession
    public var delegate: (any UISceneDelegate)?
    public package(set) var activationState = ActivationState.unattached

    package init(session: UISceneSession) {
        self.session = session
        super.init()
    }
}

/// A scene that has windows.
@MainActor
public final class UIWindowScene: UIScene {
    /// Set when its delegate has no method for invitations.
    package var leavesInvitations = false
}

/// What lasts of a scene while it comes and goes.
@MainActor
public final class UISceneSession: NSObject {
    public struct Role: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    public let role: Role
    public let persistentIdentifier: String

    package init(role: Role = .windowApplication, persistentIdentifier: String) {
        self.role = role
        self.persistentIdentifier = persistentIdentifier
        super.init()
    }
}

/// How a scene is made.
@MainActor
public final class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role
    /// The class whose object hears of the scene.
    public var delegateClass: AnyClass?

    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}

/// Hears of a scene's life. Each method has a default, which does nothing.
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// Hears of a scene with windows.
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The user has accepted an invitation to a share; the app accepts it at the service.
    func windowScene(
        _ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata)
}

extension UIWindowSceneDelegate {
    public func windowScene(
        _ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
    ) { windowScene.leavesInvitations = true }
}
