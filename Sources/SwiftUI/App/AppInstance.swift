package import CloudKit
package import ViewGraph

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
    package func accept(_ metadata: CKShare.Metadata) {
        for window in windows where window.accept(metadata) { return }
        application.delegate?.application(application, userDidAcceptCloudKitShareWith: metadata)
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
        delegate.windowScene(scene, userDidAcceptCloudKitShareWith: metadata)
        return true
    }

    func close() {
        sceneDelegate?.sceneDidDisconnect(scene)
        scene.activationState = .unattached
        graph.close()
    }
}
