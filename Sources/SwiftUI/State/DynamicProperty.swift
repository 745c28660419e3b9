public import ViewGraph

/// A property of a view that is brought up to date before the view's body is asked for.
///
/// A structure of one's own that conforms to it may have properties that do (`@State`, `@Environment`, …); they work as in a view.
public protocol DynamicProperty: _GraphProperty {
    /// Called before the body is asked for, when the properties of the property have been brought up to date.
    @MainActor mutating func update()
}

extension DynamicProperty {
    @MainActor public mutating func update() {}
    @MainActor public mutating func _connect(to node: _Node, slot: _Slot) { update() }
}
