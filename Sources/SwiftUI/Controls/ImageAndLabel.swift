public import ViewGraph

/// A symbol, or a picture from a file.
public struct Image: PrimitiveView, Equatable {
    enum Source: Equatable {
        case symbol(String)
        case file(URL)
    }

    let source: Source
    var isResizable = false
    var scale: Scale?

    public enum Scale: String, Hashable, Sendable {
        case small, medium, large
    }

    /// A symbol by its name.
    public nonisolated init(systemName: String) { source = .symbol(systemName) }

    /// A picture in a file of the device.
    nonisolated init(fileURL: URL) { source = .file(fileURL) }

    public func resizable() -> Image { with { $0.isResizable = true } }
    public func imageScale(_ scale: Scale) -> Image { with { $0.scale = scale } }

    private func with(_ change: (inout Image) -> Void) -> Image {
        var image = self
        change(&image)
        return image
    }

    public static func _visit(_ view: Image, _ node: _Node) {
        node.visit(view) { image, node in
            let element = image.element(ElementID(node.number), node.values)
            node.composes { _ in Output(element) }
        }
    }

    func element(_ id: ElementID, _ values: EnvironmentValues) -> Element {
        switch source {
        case .symbol(let name):
            var classes = "icon"
            var style = ""
            if let font = values.font {
                let css = font.css
                classes += css.classes.map { " \($0)" }.joined()
                style = css.style
            }
            if let scale { classes += " \(scale.rawValue)" }
            if let foreground = values.foreground { style += "color:\(foreground.css);" }
            var attributes: [Element.Attribute] = [.init("class", classes), .init("data-icon", Symbols.icon(name))]
            if !style.isEmpty { attributes.append(.init("style", style)) }
            return Element(id, "i", attributes)
        case .file(let url):
            return Element(
                id, "img",
                [
                    .init("class", isResizable ? "picture resizable" : "picture"), .init("alt", ""),
                    .init("src", WindowFiles.address(of: url)),
                ])
        }
    }
}

extension View {
    /// Shows the view whole within its box.
    public func scaledToFit() -> some View { modifier(StyleModifier(word: "fit")) }
    /// Fills the box with the view, which may be cut.
    public func scaledToFill() -> some View { modifier(StyleModifier(word: "fill")) }
}

/// An icon and words. A bar shows the icon alone, and tells the words.
public struct Label<Title: View, Icon: View>: PrimitiveView {
    private let title: Title
    private let icon: Icon

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.icon, at: 0)
            node.show(view.title, at: 1)
            node.composes { node in
                let icon = node.children[0].output.elements
                let title = node.children[1].output.elements
                return Output(
                    Element(
                        ElementID(node.number), "span", [.init("class", "label")],
                        children: [
                            Element(
                                ElementID(node.number, .icon), "span", [.init("class", "label-icon")], children: icon),
                            Element(
                                ElementID(node.number, .title), "span", [.init("class", "label-title")], children: title
                            ),
                        ]))
            }
        }
    }
}

extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }
}
