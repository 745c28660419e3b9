import ViewGraph

/// What refreshes a page, and whether it does so now.
@MainActor
final class RefreshModel {
    private weak var node: _Node?
    private(set) var isRunning = false
    private var runs = 0
    var action: @Sendable () async -> Void = {}

    init(_ node: _Node) { self.node = node }

    /// Starts, unless it runs.
    func start() {
        guard !isRunning, let node else { return }
        isRunning = true
        node.recompose()
        node.graph.perform { @MainActor [self] in
            await action()
            isRunning = false
            runs += 1
            self.node?.recompose()
        }
    }

    func button(_ id: ElementID) -> Element {
        Element(
            id, "button",
            [
                .init("type", "button"), .init("class", "button refresh"), .init("aria-label", "Refresh"),
                .init("aria-busy", isRunning ? "true" : "false"),
            ],
            children: [
                Element(
                    ElementID(id.node, .icon), "i",
                    [.init("class", "icon"), .init("data-icon", Symbols.icon("arrow.clockwise"))])
            ],
            handlers: [(.click, { [self] _ in start() })])
    }

    /// What is read out when it is done.
    func status(_ id: ElementID) -> Element {
        Element(
            id, "div", [.init("class", "spoken"), .init("role", "status")],
            text: isRunning || runs == 0 ? "" : "Refreshed")
    }
}

struct RefreshModifier: PrimitiveModifier {
    let action: @Sendable () async -> Void

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        let model = node.cell(0) { RefreshModel(node) }
        model.action = modifier.action
        node.below = node.environment(changedBy: ObjectIdentifier(model)) { store in
            var values = EnvironmentValues(store)
            values.refresh = RefreshAction { @MainActor in await model.action() }
            store = values.store
        }
        content(node)
        node.composes { node in
            var output = node.childrenOutput
            output.values[RefreshKey.self] = model
            return output
        }
    }
}

extension View {
    /// Lets a person ask for what is shown to be read anew: by pulling it down, or by a button in the page's bar.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        modifier(RefreshModifier(action: action))
    }
}
