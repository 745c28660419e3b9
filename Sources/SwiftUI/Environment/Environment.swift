public import ViewGraph

/// A value that comes from the views above: one of ``EnvironmentValues``, or an observable object by its type.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let read: (EnvironmentValues) -> Value?
    private let fallback: () -> Value
    private var value: Value?

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { $0[keyPath: keyPath] }
        fallback = { EnvironmentValues()[keyPath: keyPath] }
    }

    /// The object of that type that a view above set with `environment(_:)`.
    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {
        read = { $0[objectType] }
        fallback = {
            fatalError(
                "no \(objectType) in the environment: give a view above this one '.environment(…)' with an object of that type"
            )
        }
    }

    /// The object of that type that a view above set, if any did.
    public init<T: AnyObject & Observable>(_ objectType: T.Type) where Value == T? {
        read = { $0[objectType] }
        fallback = { nil }
    }

    /// Outside of a view that is shown it is the default.
    public var wrappedValue: Value { value ?? fallback() }

    @MainActor public mutating func _connect(to node: _Node, slot: _Slot) { value = read(node.values) }
}

// The value was read by the view on the main actor, and may cross if its type may.
extension Environment: @unchecked Sendable where Value: Sendable {}

extension Environment: ViewComparable {
    package func isSame(as other: Self) -> Bool { true }
}
