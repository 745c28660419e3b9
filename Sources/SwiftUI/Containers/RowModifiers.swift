import ViewGraph

/// Lets rows be deleted.
struct DeleteModifier: OutputModifier {
    let action: (IndexSet) -> Void

    func change(_ output: inout Output, of node: _Node) {
        for index in output.items.indices {
            guard let element = output.items[index].traits[ElementIndex.self] else { continue }
            output.items[index].traits[DeleteKey.self] = { action(IndexSet(integer: element)) }
        }
    }
}

extension DynamicViewContent {
    /// Lets a person delete rows, one at a time.
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
        ModifiedContent(content: self, modifier: OptionalDelete(action: action))
    }
}

/// Whether the row keeps what would delete it to itself.
enum DeleteDisabledKey: OutputKey { static var initial: Bool { false } }

struct DeleteDisabled: OutputModifier, Equatable {
    let isDisabled: Bool

    func change(_ output: inout Output, of node: _Node) {
        for index in output.items.indices { output.items[index].traits[DeleteDisabledKey.self] = isDisabled }
    }
}

extension View {
    /// Keeps a row of a list from being deleted by `onDelete`.
    public func deleteDisabled(_ isDisabled: Bool) -> some View {
        modifier(DeleteDisabled(isDisabled: isDisabled))
    }
}

/// As ``DeleteModifier``, if there is anything to do.
struct OptionalDelete: OutputModifier {
    let action: ((IndexSet) -> Void)?

    func change(_ output: inout Output, of node: _Node) {
        if let action { DeleteModifier(action: action).change(&output, of: node) }
    }
}

/// Where a swipe begins.
public enum HorizontalEdge: Int8, CaseIterable, Hashable, Sendable {
    case leading, trailing
}

/// Buttons that a swipe of the row uncovers.
struct SwipeModifier<Actions: View>: PrimitiveModifier {
    let actions: Actions

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        node.show(modifier.actions, at: 1)
        node.composes { node in
            var output = node.children[0].output
            let actions = node.children[1].output.elements.map { $0.with("class", "swipe-action") }
            for index in output.items.indices { output.items[index].traits[RowActionsKey.self] += actions }
            return output
        }
    }
}

extension View {
    /// Adds buttons to the row, which a swipe or the keyboard reaches.
    public func swipeActions<Actions: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> Actions
    ) -> some View {
        modifier(SwipeModifier(actions: content()))
    }
}

/// How a list looks.
public protocol ListStyle: Sendable {
    /// The style as a word of the page. Apps do not call or implement it.
    var _word: String { get }
}

public struct InsetGroupedListStyle: ListStyle {
    public init() {}
    public var _word: String { "inset" }
}

public struct PlainListStyle: ListStyle {
    public init() {}
    public var _word: String { "plain-list" }
}

extension ListStyle where Self == InsetGroupedListStyle {
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

extension ListStyle where Self == PlainListStyle {
    public static var plain: PlainListStyle { PlainListStyle() }
}

private enum ListStyleKey: EnvironmentKey { static let defaultValue = "inset" }

extension EnvironmentValues {
    var listStyle: String {
        get { self[ListStyleKey.self] }
        set { self[ListStyleKey.self] = newValue }
    }
}

extension View {
    public func listStyle<Style: ListStyle>(_ style: Style) -> some View { environment(\.listStyle, style._word) }
}
