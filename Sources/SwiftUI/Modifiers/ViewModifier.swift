public import ViewGraph

/// Changes a view, or shows it as a part of another one.
@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>

    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body

    /// Brings the node of a modified view up to date. Apps do not call or implement it.
    static func _visit(_ modifier: Self, _ node: _Node, content: @escaping @MainActor (_Node) -> Void)
}

extension ViewModifier {
    public static func _visit(
        _ modifier: Self, _ node: _Node, content: @escaping @MainActor (_Node) -> Void
    ) {
        if let gate = node.values.gate, !gate.lets(node) { return }
        node.show(node.evaluate(modifier) { $0.body(content: Content(visit: content)) })
    }
}

/// The view that a modifier modifies.
public struct _ViewModifier_Content<Modifier: ViewModifier>: PrimitiveView {
    let visit: @MainActor (_Node) -> Void

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in view.visit(node) }
    }
}

/// A view with a modifier.
public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public var body: Never { fatalError("a modified view has no body") }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            Modifier._visit(view.modifier, node) { node in node.show(view.content) }
        }
    }
}

extension ModifiedContent: DynamicViewContent where Content: DynamicViewContent, Modifier: ViewModifier {
    public var data: Content.Data { content.data }
}

extension View {
    public func modifier<Modifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

/// A modifier that works on the node itself.
package protocol PrimitiveModifier: ViewModifier where Body == Never {
    /// Visits `content`, as child 0 of the node.
    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void)
}

extension PrimitiveModifier {
    public func body(content: Content) -> Never { fatalError("\(Self.self) has no body") }

    public static func _visit(
        _ modifier: Self, _ node: _Node, content: @escaping @MainActor (_Node) -> Void
    ) {
        apply(modifier, to: node, content: content)
    }
}

/// A modifier that changes what comes up from the view: its items, or what is said of them.
package protocol OutputModifier: PrimitiveModifier {
    @MainActor func change(_ output: inout Output, of node: _Node)
}

extension OutputModifier {
    package static func apply(
        _ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void
    ) {
        content(node)
        node.composes { node in
            var output = node.childrenOutput
            modifier.change(&output, of: node)
            return output
        }
    }
}

/// A modifier that says something of each of the view's elements.
package protocol ElementModifier: OutputModifier {
    @MainActor func change(_ element: Element, of node: _Node) -> Element
}

extension ElementModifier {
    package func change(_ output: inout Output, of node: _Node) {
        for index in output.items.indices {
            output.items[index].element = change(output.items[index].element, of: node)
        }
    }

    /// A box around an element.
    @MainActor package func box(
        _ element: Element, of node: _Node, _ attributes: [Element.Attribute], with others: [Element] = []
    ) -> Element {
        Element(
            ElementID(element.id.node, .box(node.depth)), "div", attributes, children: [element] + others)
    }
}
