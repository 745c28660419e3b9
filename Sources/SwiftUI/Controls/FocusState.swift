public import ViewGraph

/// Which field has the focus: a value that views read and set.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
    private let initial: Value
    private var cell: StateCell<Value>?

    public init() where Value == Bool { initial = false }
    public init<T: Hashable>() where Value == T? { initial = nil }

    public var wrappedValue: Value {
        get { cell.map(\.value) ?? initial }
        nonmutating set { cell?.value = newValue }
    }

    public var projectedValue: Binding { Binding(cell: cell, initial: initial) }

    @MainActor public mutating func _connect(to node: _Node, slot: _Slot) {
        cell = node.cell(slot.index) { StateCell(initial) }
    }

    /// A binding to the state that says where the focus is.
    @propertyWrapper
    public struct Binding {
        let cell: StateCell<Value>?
        let initial: Value

        public var wrappedValue: Value {
            get { cell.map(\.value) ?? initial }
            nonmutating set { cell?.value = newValue }
        }

        public var projectedValue: Binding { self }
    }
}

extension FocusState: ViewComparable {
    package func isSame(as other: Self) -> Bool { true }
}

extension FocusState.Binding: ViewComparable {
    package func isSame(as other: Self) -> Bool { cell === other.cell }
}

/// What a field tells of its focus.
@MainActor
final class FocusLink {
    private let wants: () -> Bool
    private let set: (Bool) -> Void
    private var had = false

    init(wants: @escaping () -> Bool, set: @escaping (Bool) -> Void) {
        self.wants = wants
        self.set = set
    }

    /// Asks for the focus to be moved to the field, if the state has come to say so.
    func offer(_ element: ElementID, in graph: ViewGraph) {
        let wanted = wants()
        if wanted, !had { graph.moveFocus(to: element) }
        had = wanted
    }

    func took() {
        had = true
        if !wants() { set(true) }
    }

    func lost() {
        had = false
        if wants() { set(false) }
    }
}

/// Joins the field below to a state of focus.
struct FocusModifier<Value: Hashable>: PrimitiveModifier {
    let binding: FocusState<Value>.Binding
    let value: Value
    let none: Value

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        let (binding, value, none) = (modifier.binding, modifier.value, modifier.none)
        let link = node.cell(0) {
            FocusLink(
                wants: { binding.cell?.untracked == value },
                set: { binding.wrappedValue = $0 ? value : none })
        }
        // Reading is what has the field asked again when the state changes.
        let wanted = node.track { binding.wrappedValue == value }
        node.below = node.environment(changedBy: wanted) { store in
            var values = EnvironmentValues(store)
            values.focus = link
            store = values.store
        }
        content(node)
    }
}

private enum FocusKey: EnvironmentKey { static var defaultValue: FocusLink? { nil } }

extension EnvironmentValues {
    var focus: FocusLink? {
        get { self[FocusKey.self] }
        set { self[FocusKey.self] = newValue }
    }
}

extension View {
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        modifier(FocusModifier(binding: condition, value: true, none: false))
    }

    public func focused<Value: Hashable>(_ binding: FocusState<Value?>.Binding, equals value: Value) -> some View {
        modifier(FocusModifier(binding: binding, value: value, none: nil))
    }
}
