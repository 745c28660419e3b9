package import CloudKit
package import ViewGraph
package import ViewServer

/// An app that runs: its state, its delegate, its windows. One in a process, as an app on a device; tests have several.
@MainActor
package final class AppInstance {
    /// The node that the app's own state belongs to. It shows nothing.
    private let graph = ViewGraph()
    private let node: _Node
    private let start: (_SceneWindow) -> Void
    package let application: UIApplication
    package private(set) var windows: [AppWindow] = []
    private let clock: ViewClock
    /// The device that the app runs on, where it is not the process's.
    private let device: CloudDevice?

    package init<Program: App>(
        _ type: Program.Type, application: UIApplication = .shared, clock: ViewClock = ViewClock { .now }
    ) {
        self.application = application
        self.clock = clock
        device = nil
        var program = Program()
        node = graph.makeRoot(EnvironmentStore())
        node.connect(&program)
        let connected = program
        start = { window in Program.Body._start(connected.body, window) }
        application.launch()
    }

    /// An app that is one view.
    package init<Content: View>(showing content: @escaping () -> Content, on device: CloudDevice?, clock: ViewClock) {
        application = UIApplication(device: device ?? .current)
        self.device = device
        self.clock = clock
        node = graph.makeRoot(EnvironmentStore())
        start = { window in WindowGroup<Content>._start(WindowGroup(content: content), window) }
    }

    /// Opens a window.
    package func openWindow(_ identifier: String) -> AppWindow {
        let window = AppWindow(identifier, of: application)
        var environment = EnvironmentValues()
        environment.clock = clock
        if let device { window.graph.context = { work in device.withCurrent { work() } } }
        window.connect(metadata: nil)
        start(_SceneWindow(graph: window.graph, environment: environment, app: node))
        windows.append(window)
        application.applicationState = .active
        return window
    }

    package func close(_ window: AppWindow) {
        windows.removeAll { $0 === window }
        window.close()
        if windows.isEmpty { application.applicationState = .background }
    }

    /// Ends the app.
    package func end() {
        for window in windows { window.close() }
        windows = []
        application.delegate?.applicationWillTerminate(application)
        application.unregisterForRemoteNotifications()
        graph.close()
    }

    /// What is done when the user has accepted an invitation to a share.
    /// - Returns: Whether the app has a method for it: its window's delegate, or else its application's.
    package func accept(_ metadata: CKShare.Metadata) -> Bool {
        for window in windows where window.accept(metadata) { return true }
        guard let delegate = application.delegate else { return false }
        application.leavesInvitations = false
        delegate.application(application, userDidAcceptCloudKitShareWith: metadata)
        return !application.leavesInvitations
    }

    /// Opens a link on the device, as a tap on it elsewhere does: a share's goes to the app's delegate.
    package func open(_ link: String) async throws(LinkRefusal) {
        let link = link.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let url = URL(string: link), url.scheme != nil else { throw LinkRefusal("'\(link)' is not an address") }
        guard CloudDevice.isShare(url) else {
            throw LinkRefusal("'\(link)' is not the address of a share, and the app takes no other")
        }
        guard !windows.isEmpty else {
            throw LinkRefusal("the app has no window that could take the invitation: open one in the browser first")
        }
        let metadata: CKShare.Metadata
        do {
            metadata = try await (device ?? .current).shareMetadata(for: url)
        } catch {
            throw LinkRefusal("the share was not found: \(error.localizedDescription)")
        }
        guard accept(metadata) else {
            throw LinkRefusal("the app takes no invitations: no delegate of it has userDidAcceptCloudKitShareWith")
        }
    }
}

/// A window of an app.
@MainActor
package final class AppWindow {
    package let identifier: String
    package let graph = ViewGraph()
    package let scene: UIWindowScene
    private let application: UIApplication
    private var sceneDelegate: (any UISceneDelegate)?

    init(_ identifier: String, of application: UIApplication) {
        self.identifier = identifier
        self.application = application
        scene = UIWindowScene(session: UISceneSession(persistentIdentifier: identifier))
    }

    func connect(metadata: CKShare.Metadata?) {
        let options = UIScene.ConnectionOptions(cloudKitShareMetadata: metadata)
        sceneDelegate = application.sceneDelegate(for: scene.session, scene, options: options)
        scene.delegate = sceneDelegate
        sceneDelegate?.scene(scene, willConnectTo: scene.session, options: options)
        scene.activationState = .foregroundActive
        sceneDelegate?.sceneWillEnterForeground(scene)
        sceneDelegate?.sceneDidBecomeActive(scene)
    }

    func accept(_ metadata: CKShare.Metadata) -> Bool {
        guard let delegate = sceneDelegate as? any UIWindowSceneDelegate else { return false }
        scene.leavesInvitations = false
        delegate.windowScene(scene, userDidAcceptCloudKitShareWith: metadata)
        return !scene.leavesInvitations
    }

    func close() {
        sceneDelegate?.sceneDidDisconnect(scene)
        scene.activationState = .unattached
        graph.close()
    }
}
