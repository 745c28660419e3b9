@_spi(Reflection) import Swift

/// A property of a view that the graph connects before the view's body is asked for.
public protocol _GraphProperty {
    /// Connects the property, in place, in the copy of the view that is about to be asked.
    /// - Parameter slot: Which of the node's properties it is; always the same for one type of view.
    @MainActor mutating func _connect(to node: _Node, slot: _Slot)
}

/// A value that knows itself whether another one is the same to a view that holds it.
package protocol ViewComparable {
    @MainActor func isSame(as other: Self) -> Bool
}

/// The place of a property among those of a node.
public struct _Slot: Sendable {
    package var index: Int
}

/// The properties of a type of view that are to be connected, with their places in memory.
///
/// Read from the runtime's own description of the type, which is exact and needs no copy of the value; that is an interface of the
/// standard library with an underscore, so it is used here and nowhere else.
@MainActor
struct DynamicFields {
    private struct Field {
        let offset: Int
        let connect: @MainActor (UnsafeMutableRawPointer, _Node, inout Int) -> Void
    }

    private static var known: [ObjectIdentifier: DynamicFields] = [:]
    private var fields: [Field] = []

    static func of(_ type: Any.Type) -> DynamicFields {
        if let fields = known[ObjectIdentifier(type)] { return fields }
        let fields = DynamicFields(type)
        known[ObjectIdentifier(type)] = fields
        return fields
    }

    private init(_ type: Any.Type) {
        var found: [Field] = []
        _forEachField(of: type) { _, offset, type, _ in
            if let property = type as? any _GraphProperty.Type { found.append(Self.field(property, at: offset)) }
            return true
        }
        fields = found
    }

    private static func field<Property: _GraphProperty>(_ type: Property.Type, at offset: Int) -> Field {
        let nested = DynamicFields.of(type)
        return Field(offset: offset) { memory, node, slot in
            let place = memory + offset
            // What it is made of comes first, so that it finds it connected.
            nested.connect(place, node, &slot)
            place.assumingMemoryBound(to: Property.self).pointee._connect(to: node, slot: _Slot(index: slot))
            slot += 1
        }
    }

    func connect(_ memory: UnsafeMutableRawPointer, _ node: _Node, _ slot: inout Int) {
        for field in fields { field.connect(memory, node, &slot) }
    }

    /// Connects the properties of `value`, in place.
    static func connect<Value>(_ value: inout Value, to node: _Node) {
        if Value.self is AnyClass { return }
        let fields = of(Value.self)
        guard !fields.fields.isEmpty else { return }
        var slot = 0
        withUnsafeMutableBytes(of: &value) { bytes in
            guard let memory = bytes.baseAddress else { return }
            fields.connect(memory, node, &slot)
        }
    }
}
