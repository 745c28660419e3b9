/// Names a value that an output carries beside its elements.
package protocol OutputKey {
    associatedtype Value
    /// What is there when nobody said anything.
    static var initial: Value { get }
    /// Adds what comes later in the tree.
    static func reduce(_ value: inout Value, _ next: Value)
}

extension OutputKey {
    /// The first that was said stays.
    package static func reduce(_ value: inout Value, _ next: Value) {}
}

/// Values by key: the traits of one item, or what rises to a container. Few, so a list.
package struct OutputValues {
    private struct Entry {
        let key: ObjectIdentifier
        var value: Any
        let reduce: (inout Any, Any) -> Void
    }

    private var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    package subscript<Key: OutputKey>(_ key: Key.Type) -> Key.Value {
        get { entries.first { $0.key == ObjectIdentifier(key) }?.value as? Key.Value ?? Key.initial }
        set {
            if let index = entries.firstIndex(where: { $0.key == ObjectIdentifier(key) }) {
                entries[index].value = newValue
            } else {
                entries.append(
                    Entry(key: ObjectIdentifier(key), value: newValue) { value, next in
                        guard var sum = value as? Key.Value, let next = next as? Key.Value else { return }
                        Key.reduce(&sum, next)
                        value = sum
                    })
            }
        }
    }

    package func has<Key: OutputKey>(_ key: Key.Type) -> Bool {
        entries.contains { $0.key == ObjectIdentifier(key) }
    }

    package mutating func remove<Key: OutputKey>(_ key: Key.Type) {
        entries.removeAll { $0.key == ObjectIdentifier(key) }
    }

    /// Adds what comes later in the tree.
    package mutating func add(_ other: OutputValues) {
        for entry in other.entries {
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index].reduce(&entries[index].value, entry.value)
            } else {
                entries.append(entry)
            }
        }
    }
}

/// What a node shows: items for the container around it, and values that rise until a container takes them.
package struct Output {
    /// One leaf: an element, and what was said of it (its tag, its tab, what deletes it).
    package struct Item {
        package var element: Element
        package var traits: OutputValues

        package init(_ element: Element, traits: OutputValues = OutputValues()) {
            self.element = element
            self.traits = traits
        }
    }

    package var items: [Item]
    package var values: OutputValues

    package init(items: [Item] = [], values: OutputValues = OutputValues()) {
        self.items = items
        self.values = values
    }

    package init(_ element: Element) { self.init(items: [Item(element)]) }

    package var elements: [Element] { items.map(\.element) }

    package mutating func add(_ other: Output) {
        items.append(contentsOf: other.items)
        values.add(other.values)
    }
}
