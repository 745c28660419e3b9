public import ViewGraph

/// Views one below the other.
public struct VStack<Content: View>: PrimitiveView {
    private let alignment: HorizontalAlignment
    private let spacing: CGFloat?
    private let content: Content

    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.content)
            node.composesBox("vstack", alignment: view.alignment.css, spacing: view.spacing ?? 8)
        }
    }
}

/// Views beside each other.
public struct HStack<Content: View>: PrimitiveView {
    private let alignment: VerticalAlignment
    private let spacing: CGFloat?
    private let content: Content

    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.content)
            node.composesBox("hstack", alignment: view.alignment.css, spacing: view.spacing ?? 8)
        }
    }
}

/// Views over each other.
public struct ZStack<Content: View>: PrimitiveView {
    private let alignment: Alignment
    private let content: Content

    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.content)
            node.composesBox(
                "zstack",
                style: "justify-items:\(view.alignment.horizontal.css);align-items:\(view.alignment.vertical.css)")
        }
    }
}

/// Views one below the other, of which a long collection shows its first part.
public struct LazyVStack<Content: View>: PrimitiveView {
    private let alignment: HorizontalAlignment
    private let spacing: CGFloat?
    private let content: Content

    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let part = node.showsInParts()
            node.show(view.content)
            node.composes { node in
                var output = node.childrenOutput
                let more = part.more(after: &output, of: node)
                return node.box(
                    "vstack", output, style: "align-items:\(view.alignment.css);gap:\((view.spacing ?? 8).css)px",
                    more: more)
            }
        }
    }
}

/// Takes the room that is left.
public struct Spacer: PrimitiveView {
    private let minLength: CGFloat?

    public nonisolated init(minLength: CGFloat? = nil) { self.minLength = minLength }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            var attributes: [Element.Attribute] = [.init("class", "spacer")]
            if let length = view.minLength { attributes.append(.init("style", "flex-basis:\(length.css)px")) }
            let element = Element(ElementID(node.number), "div", attributes)
            node.composes { _ in Output(element) }
        }
    }
}

/// A line between views.
public struct Divider: PrimitiveView {
    public nonisolated init() {}

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { _, node in
            let element = Element(ElementID(node.number), "hr", [.init("class", "divider")])
            node.composes { _ in Output(element) }
        }
    }
}

/// Scrolls what has no room.
public struct ScrollView<Content: View>: PrimitiveView {
    private let axes: Axis.Set
    private let content: Content

    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.axes = axes
        self.content = content()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.content)
            node.composesBox(view.axes.contains(.horizontal) ? "scroll sideways" : "scroll", tab: true)
        }
    }
}

public enum Axis: Int8, CaseIterable, Hashable, Sendable {
    case horizontal, vertical

    public struct Set: OptionSet, Hashable, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

extension _Node {
    /// One box around what the children show.
    func composesBox(_ word: String, alignment: String, spacing: CGFloat) {
        composesBox(word, style: "align-items:\(alignment);gap:\(spacing.css)px")
    }

    func composesBox(_ word: String, style: String? = nil, tab: Bool = false) {
        composes { node in node.box(word, node.childrenOutput, style: style, isReachable: tab) }
    }

    func box(
        _ word: String, _ output: Output, style: String? = nil, isReachable: Bool = false, more: Element? = nil
    ) -> Output {
        var attributes: [Element.Attribute] = [.init("class", word)]
        if let style { attributes.append(.init("style", style)) }
        // What scrolls must be reachable by keys.
        if isReachable { attributes.append(.init("tabindex", "0")) }
        var output = output
        output.items = [
            Output.Item(
                Element(
                    ElementID(number), "div", attributes, children: output.elements + (more.map { [$0] } ?? [])))
        ]
        return output
    }
}
