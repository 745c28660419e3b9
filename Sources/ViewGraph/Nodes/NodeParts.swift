/// What few nodes have: it takes no room in those that do not.
@MainActor
final class NodeBelongings {
    var cells: [Int: AnyObject] = [:]
    var derived: (kept: EnvironmentStore, value: Any, store: EnvironmentStore)?
    var lifetimes: [Lifetime] = []
    var endings: [@MainActor () -> Void] = []
    /// What was below the node, where that was let go.
    var outline: NodeOutline = []
}

/// Kept by what can tell a node of a change, and by nothing else.
final class Listener: Sendable {}

/// The numbers of nodes that were let go, by their places and types: made again, they have the same ones, and the page sees no
/// difference.
struct NodeOutline: ExpressibleByArrayLiteral {
    private struct Entry {
        let position: Int32
        /// Of the node and those below it, which follow.
        let count: Int32
        let number: Int
        let type: ObjectIdentifier
    }

    private var entries: ArraySlice<Entry>

    init(arrayLiteral elements: Never...) { entries = [] }

    private init(entries: ArraySlice<Entry>) { self.entries = entries }

    /// Of children that have a place each.
    @MainActor
    init(_ children: [_Node]) {
        var all: [Entry] = []
        for child in children {
            guard case .position(let position) = child.key else { continue }
            let below = child.outline.entries
            all.append(
                Entry(
                    position: Int32(clamping: position), count: Int32(below.count + 1), number: child.number,
                    type: child.type))
            all += below
        }
        entries = all[...]
    }

    var isEmpty: Bool { entries.isEmpty }

    /// What is known of a child.
    func child(_ key: NodeKey, _ type: ObjectIdentifier) -> (number: Int, below: NodeOutline)? {
        guard case .position(let position) = key else { return nil }
        var index = entries.startIndex
        while index < entries.endIndex {
            let entry = entries[index]
            let end = index + Int(entry.count)
            if entry.position == Int32(clamping: position), entry.type == type {
                return (entry.number, NodeOutline(entries: entries[(index + 1)..<end]))
            }
            index = end
        }
        return nil
    }
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
