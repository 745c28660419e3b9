import ViewGraph

/// Shows a question, or something that must be read, while a value says so.
struct AlertModifier<Actions: View, Message: View>: PrimitiveModifier {
    enum Kind: String {
        case alert, confirm
    }

    let kind: Kind
    let title: String
    let isPresented: Binding<Bool>
    let showsTitle: Bool
    let actions: () -> Actions
    let message: () -> Message

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        node.show(AlertHost(alert: modifier), at: 1)
    }
}

private struct AlertHost<Actions: View, Message: View>: PrimitiveView {
    let alert: AlertModifier<Actions, Message>

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let alert = view.alert
            guard node.track({ alert.isPresented.wrappedValue }) else {
                node.composes { _ in Output() }
                return
            }
            let model = node.cell(0) { PresentationModel { alert.isPresented.wrappedValue = false } }
            node.below = node.environment(changedBy: ObjectIdentifier(model)) { store in
                var values = EnvironmentValues(store).forPresentation
                values.presentation = model
                store = values.store
            }
            node.show(node.track { alert.actions() }, at: 0)
            node.show(node.track { alert.message() }, at: 1)
            node.composes { node in
                var output = Output()
                output.values[DialogKey.self] = [
                    dialog(
                        alert, actions: node.children[0].output.items, message: node.children[1].output.elements, node)
                ]
                return output
            }
        }
    }

    private static func dialog(
        _ alert: AlertModifier<Actions, Message>, actions: [Output.Item], message: [Element], _ node: _Node
    ) -> Element {
        let (title, text, bar) = (
            ElementID(node.number, .title), ElementID(node.number, .content), ElementID(node.number, .bar)
        )
        let close: @MainActor () -> Void = { alert.isPresented.wrappedValue = false }
        var children: [Element] = []
        if alert.showsTitle {
            children.append(Element(title, "h2", [.init("class", "alert-title")], text: alert.title))
        }
        if !message.isEmpty { children.append(Element(text, "div", [.init("class", "alert-text")], children: message)) }
        var buttons = actions.map(\.element)
        let canCancel = actions.contains { $0.traits[RoleKey.self] == .cancel }
        if buttons.isEmpty || (alert.kind == .confirm && !canCancel) {
            buttons.append(
                Element(
                    ElementID(node.number, .action), "button",
                    [.init("type", "button"), .init("class", "button cancel"), .init("data-safe", "")],
                    text: buttons.isEmpty ? "OK" : "Cancel", handlers: [(.click, { _ in close() })]))
        }
        // The one that destroys nothing has the focus.
        if let safe = actions.firstIndex(where: { $0.traits[RoleKey.self] == .cancel })
            ?? actions.firstIndex(where: { $0.traits[RoleKey.self] != .destructive }), canCancel || alert.kind == .alert
        {
            buttons[safe] = buttons[safe].with("data-safe", "")
        }
        children.append(Element(bar, "div", [.init("class", "alert-buttons")], children: buttons))
        var attributes: [Element.Attribute] = [
            .init("class", alert.kind.rawValue), .init("role", "alertdialog"),
            alert.showsTitle
                ? .init("aria-labelledby", title.description) : .init("aria-label", alert.title),
        ]
        if !message.isEmpty { attributes.append(.init("aria-describedby", text.description)) }
        return Element(
            ElementID(node.number, .panel), "dialog", attributes, children: children,
            handlers: [(.dismiss, { _ in close() })])
    }
}

extension View {
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(titleKey.text, isPresented: isPresented, actions: actions, message: { EmptyView() })
    }

    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        alert(title, isPresented: isPresented, actions: actions, message: { EmptyView() })
    }

    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        alert(titleKey.text, isPresented: isPresented, actions: actions, message: message)
    }

    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        modifier(
            AlertModifier(
                kind: .alert, title: String(title), isPresented: isPresented, showsTitle: true, actions: actions,
                message: message))
    }

    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A
    ) -> some View {
        confirmationDialog(
            titleKey, isPresented: isPresented, titleVisibility: titleVisibility, actions: actions,
            message: { EmptyView() })
    }

    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M
    ) -> some View {
        modifier(
            AlertModifier(
                kind: .confirm, title: titleKey.text, isPresented: isPresented, showsTitle: titleVisibility == .visible,
                actions: actions, message: message))
    }
}

/// Whether something is to be seen.
public enum Visibility: Hashable, CaseIterable, Sendable {
    case automatic, visible, hidden
}
