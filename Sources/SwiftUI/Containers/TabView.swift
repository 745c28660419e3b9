public import ViewGraph

/// Pages beside each other, of which one is shown. A page is evaluated when it is first shown, and stays as it is then.
public struct TabView<SelectionValue: Hashable, Content: View>: PrimitiveView {
    private let selection: Binding<SelectionValue>?
    private let content: Content

    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let chosen = node.cell(0) { TabChoice(node) }
            let selected = node.track { view.selection?.wrappedValue }
            node.show(view.content)
            node.composes { node in
                let selection = selected.map { AnyHashable($0) }
                return Tabs(output: node.childrenOutput, selection: selection, chosen: chosen) { tag in
                    if let value = tag?.base as? SelectionValue { view.selection?.wrappedValue = value }
                }.compose(node)
            }
        }
    }
}

extension TabView where SelectionValue == Int {
    public init(@ViewBuilder content: () -> Content) {
        selection = nil
        self.content = content()
    }
}

/// The tab that was chosen, where the app does not keep it.
@MainActor
private final class TabChoice {
    private weak var node: _Node?
    var number: Int? { didSet { node?.recompose() } }
    init(_ node: _Node) { self.node = node }
}

/// What is known of a tab: what its button shows, and what holds its page back.
enum TabKey: OutputKey {
    struct Tab {
        let label: [Element]
        let badge: String?
        let gate: Gate
        let node: _Node
    }

    static var initial: Tab? { nil }
}

@MainActor
private struct Tabs {
    let output: Output
    let selection: AnyHashable?
    let chosen: TabChoice
    let select: @MainActor (AnyHashable?) -> Void

    func compose(_ node: _Node) -> Output {
        let items = output.items
        let index = selectedIndex
        var rising = output.values
        rising.remove(TitleKey.self)
        rising.remove(BackKey.self)
        var panels: [Element] = []
        var tabs: [Element] = []
        for (position, item) in items.enumerated() {
            let isSelected = position == index
            let number = item.element.id.node
            let tab = item.traits[TabKey.self]
            if isSelected { tab?.gate.open() }
            tab?.node.setShown(isSelected && node.isShown)
            let (tabID, panelID) = (ElementID(number, .tab), ElementID(number, .panel))
            var panel: [Element.Attribute] = [
                .init("class", "panel"), .init("role", "tabpanel"), .init("aria-labelledby", tabID.description),
            ]
            if !isSelected { panel.append(.init("inert", "")) }
            panels.append(Element(panelID, "div", panel, children: [item.element]))
            tabs.append(
                Element(
                    tabID, "button",
                    [
                        .init("type", "button"), .init("class", "tab"), .init("role", "tab"),
                        .init("aria-selected", isSelected ? "true" : "false"),
                        .init("tabindex", isSelected ? "0" : "-1"), .init("aria-controls", panelID.description),
                    ],
                    children: tab?.label ?? [],
                    handlers: [
                        (
                            .click,
                            { _ in
                                chosen.number = number
                                select(item.traits[TagKey.self])
                            }
                        )
                    ]))
        }
        if let index, let values = items[index].traits[RisingKey.self] { rising.add(values) }
        let bar = Element(
            ElementID(node.number, .bar), "div", [.init("class", "tab-bar"), .init("role", "tablist")], children: tabs)
        let element = Element(
            ElementID(node.number), "div", [.init("class", "tabs")],
            children: [
                Element(ElementID(node.number, .content), "div", [.init("class", "panels")], children: panels), bar,
            ])
        return Output(items: [Output.Item(element)], values: rising)
    }

    private var selectedIndex: Int? {
        if let selection, let index = output.items.firstIndex(where: { $0.traits[TagKey.self] == selection }) {
            return index
        }
        if let number = chosen.number, let index = output.items.firstIndex(where: { $0.element.id.node == number }) {
            return index
        }
        return output.items.isEmpty ? nil : 0
    }
}

/// What rises from a tab's page while it is shown.
enum RisingKey: OutputKey { static var initial: OutputValues? { nil } }

/// Makes the view a tab's page.
struct TabItemModifier<Label: View>: PrimitiveModifier {
    let label: Label

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        let gate = node.cell(0) { Gate() }
        let outer = node.environment
        node.below = node.environment(changedBy: ObjectIdentifier(gate)) { store in
            var values = EnvironmentValues(store)
            values.gate = gate
            store = values.store
        }
        content(node)
        node.show(modifier.label, at: 1, environment: outer)
        node.composes { node in
            let page = node.children[0].output
            let label = node.children[1].output.elements
            // A page of several views is one page.
            let element = Element(
                ElementID(node.number), "div", [.init("class", "tab-page")], children: page.elements)
            var item = Output.Item(element)
            if let tag = page.items.lazy.compactMap({ $0.traits[TagKey.self] }).first {
                item.traits[TagKey.self] = tag
            }
            item.traits[TabKey.self] = TabKey.Tab(label: label, badge: nil, gate: gate, node: node.children[0])
            var values = page.values
            var rising = OutputValues()
            rising[TitleKey.self] = values[TitleKey.self]
            if let back = values[BackKey.self] { rising[BackKey.self] = back }
            item.traits[RisingKey.self] = rising
            values.remove(TitleKey.self)
            values.remove(BackKey.self)
            return Output(items: [item], values: values)
        }
    }
}

extension View {
    /// Says what the tab shows that stands for this page.
    public func tabItem<Label: View>(@ViewBuilder _ label: () -> Label) -> some View {
        modifier(TabItemModifier(label: label()))
    }
}
