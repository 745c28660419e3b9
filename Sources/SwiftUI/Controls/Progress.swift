public import ViewGraph

/// How far something has come, or that it goes on.
public struct ProgressView<Label: View>: PrimitiveView {
    private let fraction: Double?
    private let label: Label

    private init(fraction: Double?, label: Label) {
        self.fraction = fraction
        self.label = label
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label)
            node.composes { node in
                let label = node.childrenOutput.elements
                let name = label.map(AccessibleText.of).joined(separator: " ")
                var attributes: [Element.Attribute] = [
                    .init("class", view.fraction == nil ? "spinner" : "progress"), .init("role", "progressbar"),
                    .init("aria-label", name.isEmpty ? "In progress" : name),
                ]
                if let fraction = view.fraction {
                    attributes.append(.init("aria-valuenow", "\(Int(fraction * 100))"))
                    attributes.append(.init("aria-valuemin", "0"))
                    attributes.append(.init("aria-valuemax", "100"))
                    attributes.append(.init("style", "--done:\(CGFloat(fraction * 100).css)%"))
                }
                let bar = Element(ElementID(node.number, .content), "div", attributes)
                return Output(
                    Element(
                        ElementID(node.number), "div", [.init("class", "progress-view")], children: label + [bar]))
            }
        }
    }
}

extension ProgressView where Label == EmptyView {
    public init() { self.init(fraction: nil, label: EmptyView()) }

    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1) {
        self.init(fraction: value.map { min(max(Double($0 / total), 0), 1) }, label: EmptyView())
    }
}

extension ProgressView where Label == Text {
    public init(_ titleKey: LocalizedStringKey) { self.init(fraction: nil, label: Text(titleKey)) }

    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1) {
        self.init(fraction: value.map { min(max(Double($0 / total), 0), 1) }, label: Text(titleKey))
    }
}
