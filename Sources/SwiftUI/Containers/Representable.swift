public import ViewGraph

/// Shows a controller of UIKit in a view.
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    associatedtype Coordinator = Void
    typealias Context = UIViewControllerRepresentableContext<Self>

    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
}

/// What a controller is made and updated with.
@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    public let coordinator: Representable.Coordinator
    public let environment: EnvironmentValues
}

extension UIViewControllerRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

extension UIViewControllerRepresentable {
    public var body: Never { fatalError("\(Self.self) has no body") }

    public static func dismantleUIViewController(
        _ uiViewController: UIViewControllerType, coordinator: Coordinator
    ) {}

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            if let gate = node.values.gate, !gate.lets(node) { return }
            var view = view
            node.track { node.connect(&view) }
            let made = node.cell(-1) { Made<Self>() }
            let context = made.context(of: view, node.values)
            let isNew = made.controller == nil
            let controller = made.controller ?? view.makeUIViewController(context: context)
            made.controller = controller
            let dismiss = node.values.dismiss
            controller.close = { dismiss() }
            if isNew {
                controller.viewDidLoad()
                node.whileAlive { made.dismantle() }
            }
            node.track { view.updateUIViewController(controller, context: context) }
            node.show(ControllerView(controller: controller))
        }
    }
}

/// The controller of a view and its coordinator.
@MainActor
private final class Made<Representable: UIViewControllerRepresentable> {
    var controller: Representable.UIViewControllerType?
    private var coordinator: Representable.Coordinator?

    func context(of view: Representable, _ values: EnvironmentValues) -> Representable.Context {
        let coordinator = coordinator ?? view.makeCoordinator()
        self.coordinator = coordinator
        return UIViewControllerRepresentableContext(coordinator: coordinator, environment: values)
    }

    func dismantle() {
        guard let controller, let coordinator else { return }
        Representable.dismantleUIViewController(controller, coordinator: coordinator)
    }
}

/// What a controller shows.
private struct ControllerView: View {
    let controller: UIViewController

    var body: some View {
        if let sharing = controller as? UICloudSharingController {
            SharingScreen(sharing)
        } else {
            VStack { Text(controller.title ?? "\(type(of: controller))").font(.headline) }
                .modifier(StyleModifier(word: "controller"))
        }
    }
}
