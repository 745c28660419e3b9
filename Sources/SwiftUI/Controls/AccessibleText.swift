package import ViewGraph

/// What assistive technology reads of an element, and what tests find it by.
package enum AccessibleText {
    /// The texts of an element, in order.
    package static func of(_ element: Element) -> String { pieces(of: element).joined(separator: " ") }

    /// The texts of an element, each by itself, with the elements that bear them.
    package static func pieces(of element: Element) -> [String] { leaves(of: element).map(\.text) }

    package static func leaves(of element: Element) -> [(element: Element, text: String)] {
        guard element["aria-hidden"] != "true" else { return [] }
        if let label = element["aria-label"] ?? (element.tag == "img" ? element["alt"] : nil) {
            return label.isEmpty ? [] : [(element, label)]
        }
        switch element.content {
        case .text(let text): return text.isEmpty ? [] : [(element, text)]
        case .children(let children): return children.flatMap(leaves)
        }
    }
}
