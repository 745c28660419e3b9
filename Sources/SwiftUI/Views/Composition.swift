public import ViewGraph

/// Several views, one after the other.
public struct TupleView<T>: PrimitiveView {
    public var value: T
    private let children: Children

    /// How the children are visited. It holds them too, but they are compared by `value`.
    private struct Children: Equatable {
        let visit: @MainActor (_Node) -> Void
        static func == (left: Self, right: Self) -> Bool { true }
    }

    init(_ value: T, visit: @escaping @MainActor (_Node) -> Void) {
        self.value = value
        children = Children(visit: visit)
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in view.children.visit(node) }
    }
}

/// Nothing.
public struct EmptyView: PrimitiveView {
    public nonisolated init() {}
    public static func _visit(_ view: Self, _ node: _Node) {}
}

/// Views that are one for whatever is said of them: each of them has it.
public struct Group<Content: View>: PrimitiveView {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in node.show(view.content) }
    }
}

/// A view whose type is not told. While the type is the same so are its node and state.
public struct AnyView: PrimitiveView {
    private let visit: @MainActor (_Node) -> Void

    public init<Content: View>(_ view: Content) {
        visit = { node in node.show(view) }
    }

    public init<Content: View>(erasing view: Content) { self.init(view) }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in view.visit(node) }
    }
}

/// One of two branches. Each has a place of its own, so a change of branches never keeps state.
public struct _ConditionalContent<TrueContent: View, FalseContent: View>: PrimitiveView {
    enum Branch {
        case first(TrueContent)
        case second(FalseContent)
    }

    let branch: Branch

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            switch view.branch {
            case .first(let content): node.show(content, at: 0)
            case .second(let content): node.show(content, at: 1)
            }
        }
    }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("an optional view has no body") }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            if let view { node.show(view) }
        }
    }
}

extension _ConditionalContent.Branch: ViewComparable {
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.first(let left), .first(let right)): ValueComparison.same(left, right)
        case (.second(let left), .second(let right)): ValueComparison.same(left, right)
        default: false
        }
    }
}
