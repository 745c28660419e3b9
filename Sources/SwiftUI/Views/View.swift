public import ViewGraph

/// A part of what an app shows.
///
/// A view is a description that is made again whenever something it read has changed; what lasts (its state, its tasks, its place on
/// the page) belongs to the node of the graph that the description is found by: its place among its siblings, and its type.
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View

    /// What the view is made of. Asked for on the main actor, whenever something that it read last time has changed.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }

    /// Brings the node up to date with the view. Apps do not call or implement it.
    static func _visit(_ view: Self, _ node: _Node)
}

extension View {
    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            if let gate = EnvironmentValues(node.environment).gate, !gate.lets(node) { return }
            node.show(node.evaluate(view) { $0.body })
        }
    }
}

/// A view that is shown by its node itself.
package protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: View {
    public var body: Never { fatalError("Never has no body") }
    public static func _visit(_ view: Never, _ node: _Node) {}
}

extension _Node {
    /// Visits the view that is this node's child at a fixed place.
    @discardableResult
    package func show<Content: View>(
        _ view: Content, at position: Int = 0, environment: EnvironmentStore? = nil
    ) -> _Node {
        let child = child(.position(position), of: Content.self, environment: environment)
        Content._visit(view, child)
        return child
    }

    package var values: EnvironmentValues { EnvironmentValues(environment) }
}
