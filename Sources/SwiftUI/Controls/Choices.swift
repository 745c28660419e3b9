public import ViewGraph

/// On or off.
public struct Toggle<Label: View>: PrimitiveView {
    private let isOn: Binding<Bool>
    private let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label)
            let isOn = node.track { view.isOn.wrappedValue }
            let values = node.values
            node.composes { node in
                var attributes: [Element.Attribute] = [
                    .init("type", "button"), .init("class", "switch"), .init("role", "switch"),
                    .init("aria-checked", isOn ? "true" : "false"),
                ]
                if !values.isEnabled { attributes.append(.init("disabled", "")) }
                return Output(
                    Element(
                        ElementID(node.number), "button", attributes, children: node.childrenOutput.elements,
                        handlers: [(.click, { _ in view.isOn.wrappedValue = !isOn })]))
            }
        }
    }
}

extension Toggle where Label == Text {
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}

/// One of several.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: PrimitiveView {
    private let selection: Binding<SelectionValue>
    private let label: Label
    private let content: Content

    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label, at: 0)
            node.show(view.content, at: 1)
            let selected = node.track { AnyHashable(view.selection.wrappedValue) }
            let values = node.values
            node.composes { node in
                let label = node.children[0].output.elements
                let options = node.children[1].output.items
                let isSegmented = values.pickerStyle == "segmented"
                let name = label.map(AccessibleText.of).joined(separator: " ")
                return Output(
                    isSegmented
                        ? segments(view, node, name, options, selected, values)
                        : menu(view, node, label, name, options, selected, values))
            }
        }
    }

    /// The option's tag, or the element of the `ForEach` that it comes from where nobody gave it one.
    private static func choose(_ view: Self, _ tag: AnyHashable?) {
        if let value = tag?.base as? SelectionValue { view.selection.wrappedValue = value }
    }

    private static func menu(
        _ view: Self, _ node: _Node, _ label: [Element], _ name: String, _ options: [Output.Item],
        _ selected: AnyHashable, _ values: EnvironmentValues
    ) -> Element {
        let id = ElementID(node.number, .content)
        var attributes: [Element.Attribute] = [.init("class", "choice"), .init("aria-label", name)]
        if !values.isEnabled { attributes.append(.init("disabled", "")) }
        let chosen = options.firstIndex { $0.traits[TagKey.self] == selected }
        node.waits()
        let select = Element(
            id, "select", attributes,
            children: options.enumerated().map { index, option in
                Element(
                    ElementID(option.element.id.node, .row), "option", [.init("value", String(index))],
                    text: AccessibleText.of(option.element))
            },
            value: chosen.map(String.init) ?? "",
            handlers: [
                (
                    .input,
                    { [weak node] event in
                        if let index = Int(event.value), options.indices.contains(index) {
                            choose(view, options[index].traits[TagKey.self])
                        }
                        node?.invalidate()
                    }
                )
            ])
        return Element(
            ElementID(node.number), "label", [.init("class", "labeled")],
            children: [
                Element(ElementID(node.number, .title), "span", [.init("class", "labeled-title")], children: label),
                select,
            ])
    }

    private static func segments(
        _ view: Self, _ node: _Node, _ name: String, _ options: [Output.Item], _ selected: AnyHashable,
        _ values: EnvironmentValues
    ) -> Element {
        Element(
            ElementID(node.number), "div",
            [.init("class", "segments"), .init("role", "radiogroup"), .init("aria-label", name)],
            children: options.map { option in
                let isChosen = option.traits[TagKey.self] == selected
                var attributes: [Element.Attribute] = [
                    .init("type", "button"), .init("class", "segment"), .init("role", "radio"),
                    .init("aria-checked", isChosen ? "true" : "false"),
                ]
                if !values.isEnabled { attributes.append(.init("disabled", "")) }
                return Element(
                    ElementID(option.element.id.node, .tab), "button", attributes, children: [option.element],
                    handlers: [(.click, { _ in choose(view, option.traits[TagKey.self]) })])
            })
    }
}

extension Picker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, content: content) { Text(title) }
    }
}

/// How a picker looks.
public protocol PickerStyle: Sendable {
    /// The style as a word of the page. Apps do not call or implement it.
    var _word: String { get }
}

public struct SegmentedPickerStyle: PickerStyle {
    public init() {}
    public var _word: String { "segmented" }
}

public struct MenuPickerStyle: PickerStyle {
    public init() {}
    public var _word: String { "menu" }
}

extension PickerStyle where Self == SegmentedPickerStyle {
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

extension PickerStyle where Self == MenuPickerStyle {
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

private enum PickerStyleKey: EnvironmentKey { static let defaultValue = "menu" }

extension EnvironmentValues {
    var pickerStyle: String {
        get { self[PickerStyleKey.self] }
        set { self[PickerStyleKey.self] = newValue }
    }
}

extension View {
    public func pickerStyle<Style: PickerStyle>(_ style: Style) -> some View { environment(\.pickerStyle, style._word) }
}

/// A number that goes up and down by steps.
public struct Stepper<Label: View>: PrimitiveView {
    private let label: Label
    private let down: (@MainActor () -> Void)?
    private let up: (@MainActor () -> Void)?
    private let read: @MainActor () -> (canFall: Bool, canRise: Bool)

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label)
            let now = node.track { view.read() }
            let isEnabled = node.values.isEnabled
            node.composes { node in
                let label = node.childrenOutput.elements
                let name = label.map(AccessibleText.of).joined(separator: " ")
                @MainActor func button(
                    _ part: ElementID.Part, _ word: String, _ sign: String, _ can: Bool,
                    _ action: (@MainActor () -> Void)?
                )
                    -> Element
                {
                    var attributes: [Element.Attribute] = [
                        .init("type", "button"), .init("class", "step"), .init("aria-label", "\(word), \(name)"),
                    ]
                    if !isEnabled || !can || action == nil { attributes.append(.init("disabled", "")) }
                    return Element(
                        ElementID(node.number, part), "button", attributes, text: sign,
                        handlers: [(.click, { _ in action?() })])
                }
                return Output(
                    Element(
                        ElementID(node.number), "div", [.init("class", "labeled")],
                        children: [
                            Element(
                                ElementID(node.number, .title), "span",
                                [.init("class", "labeled-title"), .init("aria-live", "polite")], children: label),
                            Element(
                                ElementID(node.number, .content), "span", [.init("class", "stepper")],
                                children: [
                                    button(.leading, "Decrement", "−", now.canFall, view.down),
                                    button(.trailing, "Increment", "+", now.canRise, view.up),
                                ]),
                        ]))
            }
        }
    }
}

extension Stepper {
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label
    ) {
        self.label = label()
        read = { (value.wrappedValue > bounds.lowerBound, value.wrappedValue < bounds.upperBound) }
        down = { value.wrappedValue = max(bounds.lowerBound, value.wrappedValue.advanced(by: -step)) }
        up = { value.wrappedValue = min(bounds.upperBound, value.wrappedValue.advanced(by: step)) }
    }
}

extension Stepper where Label == Text {
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1
    ) {
        self.init(value: value, in: bounds, step: step) { Text(titleKey) }
    }

    public init(
        _ titleKey: LocalizedStringKey, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?
    ) {
        label = Text(titleKey)
        up = onIncrement
        down = onDecrement
        read = { (onDecrement != nil, onIncrement != nil) }
    }
}
