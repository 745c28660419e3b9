/// Makes one view of the statements of a closure.
@resultBuilder
public struct ViewBuilder {
    @MainActor public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    @MainActor public static func buildBlock() -> EmptyView { EmptyView() }
    @MainActor public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    @MainActor public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content)) { node in
            var position = 0
            for view in repeat each content {
                node.show(view, at: position)
                position += 1
            }
        }
    }

    @MainActor public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    @MainActor public static func buildEither<First: View, Second: View>(
        first: First
    ) -> _ConditionalContent<First, Second> {
        _ConditionalContent(branch: .first(first))
    }

    @MainActor public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> _ConditionalContent<First, Second> {
        _ConditionalContent(branch: .second(second))
    }

    @MainActor public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
}
