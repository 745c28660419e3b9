import ViewGraph

/// Sets a value of the environment for the views below.
struct EnvironmentWritingModifier<Value>: PrimitiveModifier {
    let keyPath: WritableKeyPath<EnvironmentValues, Value>
    let value: Value

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        node.below = node.environment(changedBy: modifier) { store in
            var values = EnvironmentValues(store)
            values[keyPath: modifier.keyPath] = modifier.value
            store = values.store
        }
        content(node)
    }
}

/// Gives the views below an object.
struct EnvironmentObjectModifier<Object: AnyObject & Observable>: PrimitiveModifier {
    let object: Object?

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        node.below = node.environment(changedBy: modifier.object.map { ObjectIdentifier($0) }) { store in
            var values = EnvironmentValues(store)
            values[Object.self] = modifier.object
            store = values.store
        }
        content(node)
    }
}

/// Changes values of the environment for the views below, from what they are.
struct EnvironmentTransform<Value: Equatable>: PrimitiveModifier {
    let value: Value
    let transform: @MainActor (inout EnvironmentValues, Value) -> Void

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        node.below = node.environment(changedBy: modifier.value) { store in
            var values = EnvironmentValues(store)
            modifier.transform(&values, modifier.value)
            store = values.store
        }
        content(node)
    }
}

extension View {
    public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
        modifier(EnvironmentWritingModifier(keyPath: keyPath, value: value))
    }

    /// Gives the views below an object that they ask for by its type.
    public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View {
        modifier(EnvironmentObjectModifier(object: object))
    }

    public func font(_ font: Font?) -> some View { environment(\.font, font) }
    public func bold() -> some View { fontWeight(.bold) }
    public func italic() -> some View {
        modifier(EnvironmentTransform(value: true) { values, _ in values.font = (values.font ?? .body).italic() })
    }
    public func monospacedDigit() -> some View {
        modifier(
            EnvironmentTransform(value: true) { values, _ in values.font = (values.font ?? .body).monospacedDigit() })
    }
    public func fontWeight(_ weight: Font.Weight?) -> some View {
        modifier(
            EnvironmentTransform(value: weight) { values, weight in
                guard let weight else { return }
                values.font = (values.font ?? .body).weight(weight)
            })
    }

    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View {
        environment(\.foreground, style._foreground)
    }
    public func foregroundColor(_ color: Color?) -> some View { environment(\.foreground, color?._foreground) }

    public func lineLimit(_ lines: Int?) -> some View { environment(\.lineLimit, lines) }

    /// Controls below cannot be used; they cannot be made usable again further down.
    public func disabled(_ disabled: Bool) -> some View {
        modifier(
            EnvironmentTransform(value: disabled) { values, disabled in
                if disabled { values.isEnabled = false }
            })
    }
}
