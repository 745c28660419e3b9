@_spi(Reflection) import Swift

/// Whether two values of a type are the same as far as a view's body can tell.
///
/// Objects are the same if they are one object; other equatable values compare by `==`, the rest field by field. State and values of
/// the environment count as the same: of their changes the node is told. A type with a field that cannot be compared (a closure,
/// say) is never the same.
@MainActor
package struct ValueComparison {
    private typealias Compare = @MainActor (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    private static var known: [ObjectIdentifier: ValueComparison] = [:]
    private let compare: Compare?

    /// - Returns: `false` also where it cannot be told.
    package static func same<Value>(_ left: Value, _ right: Value) -> Bool {
        guard let compare = of(Value.self).compare else { return false }
        return withUnsafePointer(to: left) { left in
            withUnsafePointer(to: right) { right in compare(UnsafeRawPointer(left), UnsafeRawPointer(right)) }
        }
    }

    private static func of(_ type: Any.Type) -> ValueComparison {
        if let comparison = known[ObjectIdentifier(type)] { return comparison }
        // A type that contains itself through a class is compared by that class.
        known[ObjectIdentifier(type)] = ValueComparison(compare: nil)
        let comparison = ValueComparison(compare: make(type))
        known[ObjectIdentifier(type)] = comparison
        return comparison
    }

    private static func make(_ type: Any.Type) -> Compare? {
        if let type = type as? any ViewComparable.Type { return ownComparison(type) }
        if type is AnyClass {
            return { $0.load(as: UnsafeRawPointer.self) == $1.load(as: UnsafeRawPointer.self) }
        }
        if let type = type as? any Equatable.Type { return equality(type) }
        var fields: [(offset: Int, compare: Compare)] = []
        let isWhole = _forEachField(of: type) { _, offset, type, _ in
            guard let compare = of(type).compare else { return false }
            fields.append((offset, compare))
            return true
        }
        // Enumerations and functions have no fields; of them nothing is known.
        guard isWhole, !fields.isEmpty || size(of: type) == 0 else { return nil }
        return { left, right in
            fields.allSatisfy { $0.compare(left + $0.offset, right + $0.offset) }
        }
    }

    private static func ownComparison<Value: ViewComparable>(_ type: Value.Type) -> Compare {
        {
            $0.assumingMemoryBound(to: Value.self).pointee.isSame(
                as: $1.assumingMemoryBound(to: Value.self).pointee)
        }
    }

    private static func equality<Value: Equatable>(_ type: Value.Type) -> Compare {
        { $0.assumingMemoryBound(to: Value.self).pointee == $1.assumingMemoryBound(to: Value.self).pointee }
    }

    private static func size(of type: Any.Type) -> Int {
        func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
        return _openExistential(type, do: size)
    }
}

extension Optional: ViewComparable {
    package func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): ValueComparison.same(left, right)
        default: false
        }
    }
}

extension Array: ViewComparable {
    package func isSame(as other: Self) -> Bool {
        count == other.count && zip(self, other).allSatisfy { ValueComparison.same($0, $1) }
    }
}
