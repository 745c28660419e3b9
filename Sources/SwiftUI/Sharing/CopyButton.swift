import ViewGraph

/// Puts a text on the clipboard of the browser; the page says that it did.
struct CopyButton: PrimitiveView {
    private let title: String
    private let text: String

    init(_ title: String, text: String) {
        self.title = title
        self.text = text
    }

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(Label(view.title, systemImage: "doc.on.doc"))
            node.composes { node in
                Output(
                    Element(
                        ElementID(node.number), "button",
                        [.init("type", "button"), .init("class", "button"), .init("data-copy", view.text)],
                        children: node.childrenOutput.elements))
            }
        }
    }
}
