public import ViewGraph

/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// Destroys something.
    public static let destructive = ButtonRole(name: "destructive")
    /// Leaves everything as it was.
    public static let cancel = ButtonRole(name: "cancel")
}

/// Does something when it is tapped.
public struct Button<Label: View>: PrimitiveView {
    private let role: ButtonRole?
    private let action: @MainActor () -> Void
    private let label: Label

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }

    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label)
            let values = node.values
            let graph = node.graph
            node.composes { node in
                var attributes: [Element.Attribute] = [
                    .init("type", "button"),
                    .init(
                        "class",
                        ["button", values.buttonStyle, view.role?.name].compactMap(\.self).joined(separator: " ")),
                ]
                if !values.isEnabled { attributes.append(.init("disabled", "")) }
                var output = Output(
                    Element(
                        ElementID(node.number), "button", attributes, children: node.childrenOutput.elements,
                        handlers: [
                            (
                                .click,
                                { _ in
                                    values.presentation?.buttonWasTapped()
                                    view.action()
                                    graph.schedule()
                                }
                            )
                        ]))
                if let role = view.role { output.items[0].traits[RoleKey.self] = role }
                return output
            }
        }
    }
}

/// What the button among a container's items is for.
enum RoleKey: OutputKey {
    static var initial: ButtonRole? { nil }
}

extension Button where Label == Text {
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }

    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { SwiftUI.Label(titleKey, systemImage: systemImage) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { SwiftUI.Label(title, systemImage: systemImage) }
    }
}

/// How buttons look.
public protocol PrimitiveButtonStyle: Sendable {
    /// The style as a word of the page. Apps do not call or implement it.
    var _word: String { get }
}

public struct BorderedButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _word: String { "bordered" }
}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _word: String { "prominent" }
}

public struct PlainButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _word: String { "plain" }
}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    public init() {}
    public var _word: String { "borderless" }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

private enum ButtonStyleKey: EnvironmentKey { static let defaultValue: String? = nil }

extension EnvironmentValues {
    package var buttonStyle: String? {
        get { self[ButtonStyleKey.self] }
        set { self[ButtonStyleKey.self] = newValue }
    }
}

extension View {
    public func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View {
        environment(\.buttonStyle, style._word)
    }
}
