public import CloudKit

/// What came of a fetch that a notification asked for.
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData, noData, failed
}

/// The app on this device.
@MainActor
public final class UIApplication: UIResponder {
    /// Why an app was started. Here nothing but its user starts an app.
    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    }

    public enum State: Int, Sendable {
        case active, inactive, background
    }

    public static let shared = UIApplication()

    /// Hears of the app's life.
    public var delegate: (any UIApplicationDelegate)?

    /// Set when its delegate has no method for invitations.
    package var leavesInvitations = false

    /// Whether a window of the app is looked at.
    public package(set) var applicationState = State.background {
        didSet {
            guard oldValue != applicationState else { return }
            switch applicationState {
            case .active:
                delegate?.applicationWillEnterForeground(self)
                delegate?.applicationDidBecomeActive(self)
            case .inactive: delegate?.applicationWillResignActive(self)
            case .background: delegate?.applicationDidEnterBackground(self)
            }
        }
    }

    /// Whether the device's notifications come to the delegate.
    public var isRegisteredForRemoteNotifications: Bool { notifications != nil }

    private let device: CloudDevice
    private var notifications: Task<Void, Never>?
    private var sceneDelegates: [ObjectIdentifier: NSObject] = [:]

    package init(device: CloudDevice = .current) {
        self.device = device
        super.init()
    }

    /// Has what the service tells this device handed to the delegate, until the app ends.
    public func registerForRemoteNotifications() {
        guard notifications == nil else { return }
        let payloads = device.remoteNotifications()
        notifications = Task { [weak self] in
            for await payload in payloads {
                guard let self else { return }
                await self.deliver(payload)
            }
        }
        let token = Data(device.deviceID.utf8)
        Task { [weak self] in
            guard let self else { return }
            self.delegate?.application(self, didRegisterForRemoteNotificationsWithDeviceToken: token)
        }
    }

    public func unregisterForRemoteNotifications() {
        notifications?.cancel()
        notifications = nil
    }

    /// Tells the delegate that the app runs.
    package func launch() { _ = delegate?.application(self, didFinishLaunchingWithOptions: nil) }

    /// Hands a notification to the delegate, and waits until it says that it is done with it.
    @discardableResult
    package func deliver(_ payload: [UInt8]) async -> UIBackgroundFetchResult {
        guard let delegate,
            let userInfo = try? JSONSerialization.jsonObject(with: Data(payload)) as? [AnyHashable: Any]
        else { return .noData }
        return await withCheckedContinuation { continuation in
            let once = Once(continuation)
            delegate.application(self, didReceiveRemoteNotification: userInfo) { once.resume($0) }
        }
    }

    /// An app may call its completion twice; the first call counts.
    private final class Once: @unchecked Sendable {  // the lock guards the continuation
        private let lock = NSLock()
        private var continuation: CheckedContinuation<UIBackgroundFetchResult, Never>?
        init(_ continuation: CheckedContinuation<UIBackgroundFetchResult, Never>) { self.continuation = continuation }

        func resume(_ result: UIBackgroundFetchResult) {
            let continuation = lock.withLock {
                defer { self.continuation = nil }
                return self.continuation
            }
            continuation?.resume(returning: result)
        }
    }

    /// The delegate of a scene, made as the app's delegate says when the scene connects.
    package func sceneDelegate(
        for session: UISceneSession, _ scene: UIScene, options: UIScene.ConnectionOptions
    ) -> (any UISceneDelegate)? {
        let standard = UISceneConfiguration(name: nil, sessionRole: session.role)
        let configuration =
            delegate?.application(self, configurationForConnecting: session, options: options) ?? standard
        guard let type = configuration.delegateClass else { return nil }
        return ObjectMaker.make(type) as? any UISceneDelegate
    }
}

/// Hears of an app's life. Each method has a default, which does nothing.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    func applicationDidBecomeActive(_ application: UIApplication)
    func applicationWillResignActive(_ application: UIApplication)
    func applicationDidEnterBackground(_ application: UIApplication)
    func applicationWillEnterForeground(_ application: UIApplication)
    func applicationWillTerminate(_ application: UIApplication)

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// A notification came. The app fetches what is new, then calls `completionHandler`.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

    /// The same as an asynchronous method; called where the app has no method with a handler.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The user has accepted an invitation to a share; called where no scene's delegate has such a method.
    func application(
        _ application: UIApplication, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata)
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}
    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}
    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        Task { completionHandler(await self.application(application, didReceiveRemoteNotification: userInfo)) }
    }

    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult { .noData }

    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
    }

    public func application(
        _ application: UIApplication, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
    ) { application.leavesInvitations = true }
}
