public import ViewGraph

/// One line of text that a person edits.
public struct TextField<Label: View>: PrimitiveView {
    private let label: Label
    private let text: Binding<String>
    private let prompt: Text?

    init(label: Label, text: Binding<String>, prompt: Text?) {
        self.label = label
        self.text = text
        self.prompt = prompt
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            Field(text: view.text, kind: .line).show(view.label, prompt: view.prompt, in: node)
        }
    }
}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {
        self.init(label: Text(titleKey), text: text, prompt: prompt)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text? = nil) {
        self.init(label: Text(title), text: text, prompt: prompt)
    }

    /// Edits a value by its text. What is no value of the format changes nothing.
    public init<F: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F.FormatOutput == String {
        self.init(
            label: Text(titleKey),
            text: Binding(
                get: { format.format(value.wrappedValue) },
                set: { if let read = try? format.parseStrategy.parse($0) { value.wrappedValue = read } }),
            prompt: prompt)
    }
}

extension TextField {
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(label: label(), text: text, prompt: prompt)
    }
}

/// One line of text that nobody is to read over a person's shoulder.
public struct SecureField<Label: View>: PrimitiveView {
    private let label: Label
    private let text: Binding<String>

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            Field(text: view.text, kind: .secret).show(view.label, prompt: nil, in: node)
        }
    }
}

extension SecureField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(label: Text(titleKey), text: text)
    }
}

/// Text of many lines that a person edits.
public struct TextEditor: PrimitiveView {
    private let text: Binding<String>

    public init(text: Binding<String>) { self.text = text }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            Field(text: view.text, kind: .lines).show(EmptyView(), prompt: nil, in: node)
        }
    }
}

/// What the fields have in common: the browser says what was typed, the binding says what is there.
@MainActor
struct Field {
    enum Kind {
        case line, secret, lines
    }

    let text: Binding<String>
    let kind: Kind

    func show<Label: View>(_ label: Label, prompt: Text?, in node: _Node) {
        node.show(label)
        let shown = node.track { text.wrappedValue }
        let values = node.values
        let id = ElementID(node.number)
        values.focus?.offer(id, in: node.graph)
        node.composes { node in
            let name = node.childrenOutput.elements.map(AccessibleText.of).joined(separator: " ")
            var attributes: [Element.Attribute] = [.init("class", "field")]
            if kind != .lines { attributes.append(.init("type", kind == .secret ? "password" : "text")) }
            if kind == .secret { attributes.append(.init("autocomplete", "off")) }
            let placeholder = prompt?.plain ?? name
            if !placeholder.isEmpty { attributes.append(.init("placeholder", placeholder)) }
            if !name.isEmpty {
                attributes.append(.init("aria-label", name))
            } else if let header = values.sectionTitle {
                attributes.append(.init("aria-labelledby", header.description))
            }
            if !values.isEnabled { attributes.append(.init("disabled", "")) }
            node.waits()
            var handlers: [Element.Handler] = [
                (
                    .input,
                    { [weak node] event in
                        text.wrappedValue = event.value
                        // What the binding says now is shown, whatever was typed.
                        node?.invalidate()
                    }
                )
            ]
            if kind != .lines, let submit = values.submit { handlers.append((.submit, { _ in submit.action() })) }
            if let focus = values.focus {
                handlers.append((.focus, { _ in focus.took() }))
                handlers.append((.blur, { _ in focus.lost() }))
            }
            return Output(
                Element(id, kind == .lines ? "textarea" : "input", attributes, value: shown, handlers: handlers))
        }
    }
}

/// What Enter in a field does.
struct SubmitAction {
    let action: @MainActor () -> Void
}

private enum SubmitKey: EnvironmentKey { static var defaultValue: SubmitAction? { nil } }
private enum SectionTitleKey: EnvironmentKey { static let defaultValue: ElementID? = nil }

extension EnvironmentValues {
    var submit: SubmitAction? {
        get { self[SubmitKey.self] }
        set { self[SubmitKey.self] = newValue }
    }

    /// The title of the section around the view, by which what has no name is named.
    var sectionTitle: ElementID? {
        get { self[SectionTitleKey.self] }
        set { self[SectionTitleKey.self] = newValue }
    }
}

extension View {
    /// Runs `action` when Enter is pressed in a field below.
    public func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View {
        environment(\.submit, SubmitAction(action: action))
    }
}
