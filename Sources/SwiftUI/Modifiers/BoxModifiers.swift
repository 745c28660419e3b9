import ViewGraph

/// Room around a view.
struct PaddingModifier: ElementModifier, Equatable {
    let edges: Edge.Set
    let length: CGFloat?

    func change(_ element: Element, of node: _Node) -> Element {
        let points = (length ?? 16).css
        let sides: [(Edge.Set, String)] = [
            (.top, "padding-top"), (.leading, "padding-inline-start"), (.bottom, "padding-bottom"),
            (.trailing, "padding-inline-end"),
        ]
        let style = sides.filter { edges.contains($0.0) }.map { "\($0.1):\(points)px" }.joined(separator: ";")
        return box(element, of: node, [.init("class", "box"), .init("style", style)])
    }
}

/// A box of a size.
struct FrameModifier: ElementModifier, Equatable {
    var width: CGFloat?
    var height: CGFloat?
    var minWidth: CGFloat?
    var maxWidth: CGFloat?
    var minHeight: CGFloat?
    var maxHeight: CGFloat?
    let alignment: Alignment

    func change(_ element: Element, of node: _Node) -> Element {
        var style: [String] = []
        func set(_ name: String, _ length: CGFloat?) {
            guard let length else { return }
            // As large as there is room for.
            if length == .infinity {
                style.append(name == "max-width" ? "width:100%" : "flex:1 1 auto")
            } else {
                style.append("\(name):\(length.css)px")
            }
        }
        set("width", width)
        set("height", height)
        set("min-width", minWidth)
        set("max-width", maxWidth)
        set("min-height", minHeight)
        set("max-height", maxHeight)
        style.append("justify-content:\(alignment.horizontal.css)")
        style.append("align-items:\(alignment.vertical.css)")
        return box(
            element, of: node, [.init("class", "frame"), .init("style", style.joined(separator: ";"))])
    }
}

/// Something drawn behind or over a view.
struct LayerModifier<Layer: View>: PrimitiveModifier {
    let layer: Layer
    let isBehind: Bool
    let alignment: Alignment

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        let layer = node.show(modifier.layer, at: 1)
        let style =
            "justify-content:\(modifier.alignment.horizontal.css);align-items:\(modifier.alignment.vertical.css)"
        node.composes { node in
            var output = node.children[0].output
            guard !output.items.isEmpty else { return output }
            let over = Element(
                ElementID(node.number, .content), "div",
                [.init("class", modifier.isBehind ? "layer behind" : "layer"), .init("style", style)],
                children: layer.output.elements)
            let inner = output.elements
            output.items = [
                Output.Item(
                    Element(ElementID(node.number), "div", [.init("class", "layers")], children: inner + [over]),
                    traits: output.items[0].traits)
            ]
            return output
        }
    }
}

/// One declaration of style, or a word of the style sheet, for each element.
struct StyleModifier: ElementModifier, Equatable {
    var word: String?
    var style: String?

    func change(_ element: Element, of node: _Node) -> Element {
        var attributes: [Element.Attribute] = [.init("class", "box \(word ?? "")")]
        if let style { attributes.append(.init("style", style)) }
        return box(element, of: node, attributes)
    }
}

/// The forms that a view can be cut to.
public struct _ClipForm: Equatable, Sendable {
    let css: String
}

public protocol Shape: Sendable {
    /// The form in the words of the page. Apps do not call or implement it.
    var _form: _ClipForm { get }
}

public struct RoundedRectangle: Shape {
    public var cornerRadius: CGFloat
    public init(cornerRadius: CGFloat) { self.cornerRadius = cornerRadius }
    public var _form: _ClipForm { _ClipForm(css: "border-radius:\(cornerRadius.css)px") }
}

public struct Circle: Shape {
    public init() {}
    public var _form: _ClipForm { _ClipForm(css: "border-radius:50%") }
}

public struct Capsule: Shape {
    public init() {}
    public var _form: _ClipForm { _ClipForm(css: "border-radius:9999px") }
}

public struct Rectangle: Shape {
    public init() {}
    public var _form: _ClipForm { _ClipForm(css: "border-radius:0") }
}

extension View {
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        modifier(PaddingModifier(edges: edges, length: length))
    }

    public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        modifier(FrameModifier(width: width, height: height, alignment: alignment))
    }

    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        modifier(
            FrameModifier(
                width: idealWidth, height: idealHeight, minWidth: minWidth, maxWidth: maxWidth, minHeight: minHeight,
                maxHeight: maxHeight, alignment: alignment))
    }

    public func background<Background: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> Background
    ) -> some View {
        modifier(LayerModifier(layer: content(), isBehind: true, alignment: alignment))
    }

    public func background<Style: ShapeStyle>(_ style: Style) -> some View {
        modifier(StyleModifier(style: "background:\(style._foreground.css)"))
    }

    public func overlay<Overlay: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> Overlay
    ) -> some View {
        modifier(LayerModifier(layer: content(), isBehind: false, alignment: alignment))
    }

    public func clipShape<Form: Shape>(_ shape: Form) -> some View {
        modifier(StyleModifier(word: "clip", style: shape._form.css))
    }

    public func opacity(_ opacity: Double) -> some View {
        modifier(StyleModifier(style: "opacity:\(CGFloat(min(max(opacity, 0), 1)).css)"))
    }

    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        modifier(StyleModifier(style: "text-align:\(alignment.css)"))
    }
}
