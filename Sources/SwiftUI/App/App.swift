package import ViewGraph

/// An app: what it shows, and what is shared by all of its windows.
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    /// Starts the app and shows it until it is ended.
    @MainActor public static func main() {
        let process = AppProcess(Self.self)
        do {
            try process.start()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
        // Not `dispatchMain()`: after that the main queue runs on other threads, and code that asks for the main thread goes wrong.
        while true { RunLoop.main.run() }
    }
}

/// A part of an app that has windows.
@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Starts the scene's view in a new window. Apps do not call or implement it.
    static func _start(_ scene: Self, _ window: _SceneWindow)
}

extension Scene {
    public static func _start(_ scene: Self, _ window: _SceneWindow) { Body._start(scene.body, window) }
}

extension Never: Scene {
    public static func _start(_ scene: Never, _ window: _SceneWindow) {}
}

@resultBuilder
public struct SceneBuilder {
    @MainActor public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// What a window is started with.
@MainActor
public final class _SceneWindow {
    package let graph: ViewGraph
    package let environment: EnvironmentValues
    /// The node of the app, which has its state.
    let app: _Node

    package init(graph: ViewGraph, environment: EnvironmentValues, app: _Node) {
        self.graph = graph
        self.environment = environment
        self.app = app
    }
}

/// Windows that all show the same view, each with a state of its own.
public struct WindowGroup<Content: View>: Scene {
    private let content: () -> Content

    public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: @escaping () -> Content) { self.content = content }

    public var body: Never { fatalError("WindowGroup has no body") }

    public static func _start(_ scene: Self, _ window: _SceneWindow) {
        window.graph.start(WindowRoot(content: scene.content), environment: window.environment.store) { root, node in
            WindowRoot._visit(root, node)
        } frame: {
            WindowFrame.make($0)
        }
    }
}

/// What a window shows. What its closure reads of the app's state it is told of.
private struct WindowRoot<Content: View>: View {
    let content: () -> Content
    var body: some View { content() }
}

/// The one element of a window: what the views show, then what is shown over it.
@MainActor
enum WindowFrame {
    static func make(_ output: Output) -> Element {
        let back = output.values[BackKey.self]
        return Element(
            ElementID(0), "main",
            [
                .init("class", "window"), .init("data-title", output.values[TitleKey.self] ?? ""),
                .init("data-depth", "\(back?.depth ?? 0)"),
            ],
            children: output.elements + output.values[DialogKey.self],
            handlers: [
                (
                    .back,
                    { event in
                        if let back, let depth = Int(event.value), depth < back.depth { back.pop(max(0, depth)) }
                    }
                )
            ])
    }
}

/// Makes the app's delegate, and keeps it.
@propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate>: DynamicProperty {
    private let delegate: DelegateType

    @MainActor public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        guard let made = ObjectMaker.make(delegateType) as? DelegateType else {
            preconditionFailure("\(delegateType) cannot be made")
        }
        delegate = made
        UIApplication.shared.delegate = made
    }

    @MainActor public var wrappedValue: DelegateType { delegate }
}
