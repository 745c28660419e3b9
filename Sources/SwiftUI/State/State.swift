public import ViewGraph

/// A value that a view owns. It lives as long as the view is found in its place; views that read it are shown anew when it is set.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    private let initial: Value
    private var cell: StateCell<Value>?

    public init(wrappedValue: Value) { initial = wrappedValue }
    public init(initialValue: Value) { initial = initialValue }

    /// Outside of a view that is shown it is the initial value, and cannot be set.
    public var wrappedValue: Value {
        get { cell.map(\.value) ?? initial }
        nonmutating set { cell?.value = newValue }
    }

    public var projectedValue: Binding<Value> {
        guard let cell else { return .constant(initial) }
        return Binding(of: [ObjectIdentifier(cell)], get: { cell.value }, set: { cell.value = $0 })
    }

    @MainActor public mutating func _connect(to node: _Node, slot: _Slot) {
        cell = node.cell(slot.index) { StateCell(initial) }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

// The cell is locked, and `Value` may cross.
extension State: @unchecked Sendable where Value: Sendable {}

extension State: ViewComparable {
    package func isSame(as other: Self) -> Bool { true }
}
