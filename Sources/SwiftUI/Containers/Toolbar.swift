public import ViewGraph

/// Where on a page an item of its bar stands.
public struct ToolbarItemPlacement: Hashable, Sendable {
    enum Side { case leading, title, trailing, bottom }
    let side: Side

    public static let automatic = ToolbarItemPlacement(side: .trailing)
    public static let principal = ToolbarItemPlacement(side: .title)
    public static let topBarLeading = ToolbarItemPlacement(side: .leading)
    public static let topBarTrailing = ToolbarItemPlacement(side: .trailing)
    public static let navigationBarLeading = ToolbarItemPlacement(side: .leading)
    public static let navigationBarTrailing = ToolbarItemPlacement(side: .trailing)
    public static let navigation = ToolbarItemPlacement(side: .leading)
    public static let cancellationAction = ToolbarItemPlacement(side: .leading)
    public static let confirmationAction = ToolbarItemPlacement(side: .trailing)
    public static let primaryAction = ToolbarItemPlacement(side: .trailing)
    public static let destructiveAction = ToolbarItemPlacement(side: .trailing)
    public static let bottomBar = ToolbarItemPlacement(side: .bottom)
    public static let status = ToolbarItemPlacement(side: .bottom)
}

/// Items of a page's bar.
@MainActor @preconcurrency
public protocol ToolbarContent {
    associatedtype Body: ToolbarContent
    @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }
    /// Brings the node up to date with the content. Apps do not call or implement it.
    static func _visit(_ content: Self, _ node: _Node)
}

extension ToolbarContent {
    public static func _visit(_ content: Self, _ node: _Node) {
        node.visit(content) { content, node in
            node.show(toolbar: node.evaluate(content) { $0.body })
        }
    }
}

extension Never: ToolbarContent {}

extension Never {
    public static func _visit<Content>(_ content: Content, _ node: _Node) {}
}

extension _Node {
    func show<Content: ToolbarContent>(toolbar content: Content, at position: Int = 0) {
        Content._visit(content, child(.position(position), of: Content.self))
    }
}

/// An item of a page's bar, or a few that stand together.
enum ToolbarKey: OutputKey {
    struct Entry {
        let placement: ToolbarItemPlacement
        let elements: [Element]
    }

    static var initial: [Entry] { [] }
    static func reduce(_ value: inout [Entry], _ next: [Entry]) { value += next }
}

/// One item of a page's bar.
public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    private let placement: ToolbarItemPlacement
    private let content: Content

    public var body: Never { fatalError("ToolbarItem has no body") }

    public static func _visit(_ item: Self, _ node: _Node) {
        node.visit(item) { item, node in
            node.show(item.content)
            node.composesToolbar(item.placement)
        }
    }
}

extension ToolbarItem where ID == () {
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.init(placement: placement, content: content())
    }
}

/// Several items of a page's bar.
public struct ToolbarItemGroup<Content: View>: ToolbarContent {
    private let placement: ToolbarItemPlacement
    private let content: Content

    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        self.placement = placement
        self.content = content()
    }

    public var body: Never { fatalError("ToolbarItemGroup has no body") }

    public static func _visit(_ item: Self, _ node: _Node) {
        node.visit(item) { item, node in
            node.show(item.content)
            node.composesToolbar(item.placement)
        }
    }
}

extension _Node {
    /// What the children show stands in the bar.
    func composesToolbar(_ placement: ToolbarItemPlacement) {
        composes { node in
            var output = node.childrenOutput
            output.values[ToolbarKey.self].append(.init(placement: placement, elements: output.elements))
            output.items = []
            return output
        }
    }
}

@resultBuilder
public struct ToolbarContentBuilder {
    @MainActor public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }
    @MainActor public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> Content { content }

    @MainActor public static func buildBlock<each Content: ToolbarContent>(
        _ content: repeat each Content
    ) -> _ToolbarContents {
        _ToolbarContents { node in
            var position = 0
            for item in repeat each content {
                node.show(toolbar: item, at: position)
                position += 1
            }
        }
    }

    @MainActor public static func buildIf<Content: ToolbarContent>(_ content: Content?) -> _ToolbarContents {
        _ToolbarContents { node in
            if let content { node.show(toolbar: content) }
        }
    }

    @MainActor public static func buildEither<Content: ToolbarContent>(first: Content) -> _ToolbarContents {
        _ToolbarContents { node in node.show(toolbar: first, at: 0) }
    }

    @MainActor public static func buildEither<Content: ToolbarContent>(second: Content) -> _ToolbarContents {
        _ToolbarContents { node in node.show(toolbar: second, at: 1) }
    }
}

/// Several contents of a bar, one after the other.
public struct _ToolbarContents: ToolbarContent {
    let visit: @MainActor (_Node) -> Void

    public var body: Never { fatalError("_ToolbarContents has no body") }

    public static func _visit(_ content: Self, _ node: _Node) {
        node.visit(content) { content, node in content.visit(node) }
    }
}

/// Puts items into the bar of the page that the view is on.
struct ToolbarModifier: PrimitiveModifier {
    let show: @MainActor (_Node) -> Void

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        modifier.show(node)
    }
}

/// Views as items of a bar, each by itself.
private struct BarViews<Content: View>: PrimitiveView {
    let content: Content

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.content)
            node.composesToolbar(.automatic)
        }
    }
}

extension View {
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        let content = content()
        return modifier(ToolbarModifier { node in node.show(toolbar: content, at: 1) })
    }

    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        let content = content()
        return modifier(ToolbarModifier { node in node.show(BarViews(content: content), at: 1) })
    }
}
