import ViewGraph

/// Reads and sets a value that something else owns.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
    private let read: () -> Value
    private let write: (Value) -> Void
    /// What is read: an object, then ways into it. Empty where only the closures know.
    private let source: [AnyHashable]

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.init(of: [], get: get, set: set)
    }

    init(of source: [AnyHashable], get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.source = source
        read = get
        write = set
    }

    /// A binding whose value never changes.
    public static func constant(_ value: Value) -> Binding { Binding(get: { value }, set: { _ in }) }

    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    public var projectedValue: Binding { self }

    public init(projectedValue: Binding<Value>) { self = projectedValue }

    public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(
            of: source.isEmpty ? [] : source + [keyPath],
            get: { read()[keyPath: keyPath] },
            set: {
                var value = read()
                value[keyPath: keyPath] = $0
                write(value)
            })
    }

    /// A binding to an optional value that is never `nil`; setting `nil` does nothing.
    public init<Wrapped>(_ base: Binding<Wrapped>) where Value == Wrapped? {
        self.init(get: { base.wrappedValue }, set: { if let value = $0 { base.wrappedValue = value } })
    }

    /// A binding to the value of an optional, if there is one now.
    public init?(_ base: Binding<Value?>) {
        guard let now = base.wrappedValue else { return nil }
        self.init(get: { base.wrappedValue ?? now }, set: { base.wrappedValue = $0 })
    }
}

extension Binding: ViewComparable {
    package func isSame(as other: Self) -> Bool { !source.isEmpty && source == other.source }
}

extension Binding: Identifiable where Value: Identifiable {
    public var id: Value.ID { wrappedValue.id }
}

// A binding to state reads and sets a locked cell. What other closures read is the maker's matter, as elsewhere: bindings are made and
// used by views, on the main actor.
extension Binding: @unchecked Sendable where Value: Sendable {}

/// Makes bindings to the properties of an observable object.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value: AnyObject & Observable> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public subscript<Member>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
        let object = wrappedValue
        return Binding(
            of: [ObjectIdentifier(object), keyPath], get: { object[keyPath: keyPath] },
            set: { object[keyPath: keyPath] = $0 })
    }
}
