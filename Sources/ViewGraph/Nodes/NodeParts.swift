/// What few nodes have: it takes no room in those that do not.
@MainActor
final class NodeBelongings {
    var cells: [Int: AnyObject] = [:]
    var derived: (kept: EnvironmentStore, value: Any, store: EnvironmentStore)?
    var lifetimes: [Lifetime] = []
    var endings: [@MainActor () -> Void] = []
}

/// While a node is visited that had children: those of before.
@MainActor
final class ChildSearch {
    private struct ChildKey: Hashable {
        var key: NodeKey
        var type: ObjectIdentifier
    }

    let earlier: [_Node]
    /// How many were found again in their order.
    private var found = 0
    /// All, once one was not.
    private var byKey: [ChildKey: _Node]?

    init(_ earlier: [_Node]) { self.earlier = earlier }

    /// A child of before that this visit has not found yet. Most often children come in the order of the last visit; then finding
    /// all of them takes a step each.
    /// - Parameter generation: Of the node that is visited.
    func child(_ key: NodeKey, _ type: ObjectIdentifier, in generation: Int) -> _Node? {
        if found < earlier.count, earlier[found].type == type, earlier[found].key == key,
            earlier[found].foundIn != generation
        {
            found += 1
            return earlier[found - 1]
        }
        if byKey == nil {
            byKey = Dictionary(earlier.map { (ChildKey(key: $0.key, type: $0.type), $0) }) { first, _ in first }
        }
        guard let child = byKey?[ChildKey(key: key, type: type)], child.foundIn != generation else { return nil }
        return child
    }
}
