public import ViewGraph

/// The pages of a stack.
@MainActor
final class NavigationModel {
    /// A page that a link brought along itself. It is the link's for as long as that is there, and shows what the link says now.
    @MainActor
    final class Pushed: Hashable {
        private weak var page: _Node?
        private var content: (@MainActor (_Node) -> Void)?

        func says(_ content: @escaping @MainActor (_Node) -> Void) {
            self.content = content
            page?.invalidate()
        }

        func show(in node: _Node) {
            page = node
            content?(node)
        }

        nonisolated static func == (left: Pushed, right: Pushed) -> Bool { left === right }
        nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    struct Key: Hashable {
        let level: Int
        let value: AnyHashable
    }

    private struct Destination {
        weak var node: _Node?
        let show: @MainActor (AnyHashable, _Node) -> Void
    }

    /// The values that the app keeps, or that the stack keeps for it.
    var path: Binding<[AnyHashable]>
    private let pushed = StateCell<[Pushed]>([])
    private var destinations: [ObjectIdentifier: Destination] = [:]
    private var pages: [(node: () -> _Node?, type: ObjectIdentifier)] = []

    init(path: Binding<[AnyHashable]>) { self.path = path }

    /// What is above the first page.
    var values: [AnyHashable] { path.wrappedValue + pushed.value.map { AnyHashable($0) } }

    func push(_ value: AnyHashable) {
        if let page = value.base as? Pushed { pushed.value.append(page) } else { path.wrappedValue.append(value) }
    }

    /// Leaves all pages above that many.
    func pop(to depth: Int) {
        let kept = path.wrappedValue.count
        if pushed.value.count > max(0, depth - kept) { pushed.value = Array(pushed.value.prefix(max(0, depth - kept))) }
        if kept > depth { path.wrappedValue = Array(path.wrappedValue.prefix(max(0, depth))) }
    }

    func register(_ type: ObjectIdentifier, _ node: _Node, show: @escaping @MainActor (AnyHashable, _Node) -> Void) {
        node.waits()
        destinations[type] = Destination(node: node, show: show)
        pages.removeAll { $0.node() == nil }
        for page in pages where page.type == type { page.node()?.invalidate() }
    }

    func show(_ value: AnyHashable, in node: _Node) {
        node.waits()
        if let page = value.base as? Pushed { return page.show(in: node) }
        let type = ObjectIdentifier(Swift.type(of: value.base))
        if !pages.contains(where: { $0.node() === node }) { pages.append(({ [weak node] in node }, type)) }
        if let destination = destinations[type], destination.node != nil {
            destination.show(value, node)
        } else {
            node.show(MissingDestination(type: "\(Swift.type(of: value.base))"))
        }
    }
}

/// What is shown where nobody said how a value is shown.
private struct MissingDestination: View {
    let type: String

    var body: some View {
        ContentUnavailableView(
            "No page for this", systemImage: "exclamationmark.triangle",
            description: Text(
                "Nothing on the pages before says what shows a \(type): '.navigationDestination(for:)' does."))
    }
}

/// Pages, of which the last is shown.
public struct NavigationStack<Data, Root: View>: PrimitiveView {
    private let root: Root
    private let path: Binding<[AnyHashable]>?

    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
        path = nil
    }

    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
        self.path = Binding(get: { path.wrappedValue.values }, set: { path.wrappedValue.values = $0 })
    }

    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
        self.root = root()
        self.path = Binding(
            get: { path.wrappedValue.map { AnyHashable($0) } },
            set: { values in
                // Only values of its own type are pushed on it, or taken away.
                path.wrappedValue = Data(values.compactMap { $0.base as? Data.Element })
            })
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let own = node.cell(0) { StateCell<[AnyHashable]>([]) }
            let path = view.path ?? Binding(of: [ObjectIdentifier(own)], get: { own.value }, set: { own.value = $0 })
            let model = node.cell(1) { NavigationModel(path: path) }
            model.path = path
            node.below = node.environment(changedBy: ObjectIdentifier(model)) { store in
                var values = EnvironmentValues(store)
                values.navigation = model
                values.listPart = nil
                values.sectionTitle = nil
                store = values.store
            }
            node.show(view.root)
            node.show(NavigationPages(model: model), at: 1)
            node.composes { node in Pages.compose(root: node.children[0], above: node.children[1], model, of: node) }
        }
    }
}

/// The pages above the first. They are a node of their own, so that the first is not visited when one comes or goes.
private struct NavigationPages: PrimitiveView {
    let model: NavigationModel

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let values = node.track { view.model.values }
            for (level, value) in values.enumerated() {
                let page = NavigationPage(model: view.model, level: level, value: value)
                let child = node.child(
                    .element(NavigationModel.Key(level: level, value: value)), of: NavigationPage.self)
                NavigationPage._visit(page, child)
            }
        }
    }
}

private struct NavigationPage: PrimitiveView {
    let model: NavigationModel
    let level: Int
    let value: AnyHashable

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let (model, level) = (view.model, view.level)
            node.below = node.environment(changedBy: level) { store in
                var values = EnvironmentValues(store)
                values.dismiss = DismissAction(of: node) { model.pop(to: level) }
                store = values.store
            }
            model.show(view.value, in: node)
        }
    }
}

/// The values that a stack's pages above the first stand for, of any types.
public struct NavigationPath: Equatable {
    var values: [AnyHashable] = []

    public init() {}
    public init<S: Sequence>(_ elements: S) where S.Element: Hashable { values = elements.map { AnyHashable($0) } }

    public var count: Int { values.count }
    public var isEmpty: Bool { values.isEmpty }
    public mutating func append<V: Hashable>(_ value: V) { values.append(AnyHashable(value)) }
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(k) }
}

/// A row or button that leads to a page.
public struct NavigationLink<Label: View, Destination: View>: PrimitiveView {
    private let value: AnyHashable?
    private let destination: Destination?
    private let label: Label

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label)
            let values = node.values
            let id = ElementID(node.number)
            let page = view.page(of: node)
            node.composes { node in
                let children = node.childrenOutput.elements
                var attributes: [Element.Attribute] = [
                    .init("type", "button"), .init("class", "link"), .init("role", "link"),
                ]
                if !values.isEnabled || values.navigation == nil || page == nil {
                    attributes.append(.init("disabled", ""))
                }
                // Named by its first text; the rest describes it, as it may change with the time.
                let texts = children.flatMap(AccessibleText.leaves).map(\.element.id.description)
                if texts.count > 1 {
                    attributes.append(.init("aria-labelledby", texts[0]))
                    attributes.append(.init("aria-describedby", texts.dropFirst().joined(separator: " ")))
                }
                return Output(
                    Element(
                        id, "button", attributes, children: children,
                        handlers: [
                            (
                                .click,
                                { _ in
                                    if let page { values.navigation?.push(page) }
                                }
                            )
                        ]))
            }
        }
    }

    /// What the link leads to, if it leads anywhere.
    private func page(of node: _Node) -> AnyHashable? {
        guard let destination else { return value }
        let page = node.cell(0) { NavigationModel.Pushed() }
        page.says { node in node.show(destination) }
        return AnyHashable(page)
    }
}

extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
        self.value = value.map { AnyHashable($0) }
        destination = nil
        self.label = label()
    }
}

extension NavigationLink where Destination == Never, Label == Text {
    public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) {
        self.init(value: value) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) {
        self.init(value: value) { Text(title) }
    }
}

extension NavigationLink {
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        value = nil
        self.destination = destination()
        self.label = label()
    }
}

extension NavigationLink where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        self.init(destination: destination) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        self.init(destination: destination) { Text(title) }
    }
}

/// Says what shows values of a type.
struct DestinationModifier<D: Hashable, Destination: View>: PrimitiveModifier {
    let destination: (D) -> Destination

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        node.values.navigation?.register(ObjectIdentifier(D.self), node) { value, page in
            guard let value = value.base as? D else { return }
            page.show(page.track { modifier.destination(value) })
        }
        content(node)
    }
}

extension View {
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        modifier(DestinationModifier(destination: destination))
    }
}
