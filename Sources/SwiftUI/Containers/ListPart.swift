import ViewGraph

/// How many elements of each collection of a list are shown: the first ones, and more each time that the end comes into sight.
@MainActor
final class ListPart {
    static let step = 100

    private let cell = StateCell(step)

    var limit: Int { cell.value }

    func grow() { cell.value = cell.untracked + Self.step }

    /// What the browser tells of when it comes into sight, if there is more to show.
    func more(after output: inout Output, of node: _Node) -> Element? {
        defer { output.values.remove(HasMore.self) }
        guard output.values[HasMore.self] else { return nil }
        return Element(
            ElementID(node.number, .more), "button",
            [.init("type", "button"), .init("class", "more"), .init("data-more", "\(cell.untracked)")],
            text: "Show more",
            handlers: [(.click, { [self] _ in grow() }), (.more, { [self] _ in grow() })])
    }
}

extension _Node {
    /// Has collections below show their first part.
    func showsInParts() -> ListPart {
        let part = cell(0) { ListPart() }
        below = environment(changedBy: ObjectIdentifier(part)) { store in
            var values = EnvironmentValues(store)
            values.listPart = part
            store = values.store
        }
        return part
    }
}
