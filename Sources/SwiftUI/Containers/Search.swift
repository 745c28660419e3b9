import ViewGraph

/// A field in the page's bar whose text the views search for.
struct SearchModifier: PrimitiveModifier {
    let text: Binding<String>
    let prompt: String

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        node.show(SearchField(text: modifier.text, prompt: modifier.prompt), at: 1)
    }
}

private struct SearchField: PrimitiveView {
    let text: Binding<String>
    let prompt: String

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            Field(text: view.text, kind: .line).show(Text(verbatim: view.prompt), prompt: nil, in: node)
            node.wrapOutput { output, node in
                let field = output.elements.map { $0.with("type", "search") }
                output.items = []
                output.values[SearchKey.self] = Element(
                    ElementID(node.number, .bar), "div", [.init("class", "search"), .init("role", "search")],
                    children: field)
            }
        }
    }
}

extension View {
    public func searchable(text: Binding<String>, prompt: LocalizedStringKey = "Search") -> some View {
        modifier(SearchModifier(text: text, prompt: prompt.text))
    }
}
