import ViewGraph

/// Runs a task while the view is shown.
struct TaskModifier<ID: Equatable>: PrimitiveModifier {
    let id: ID
    let priority: TaskPriority
    let action: @Sendable () async -> Void

    /// What of the task lasts from one visit to the next.
    @MainActor final class Running {
        var action: (@Sendable () async -> Void)?
        var priority = TaskPriority.userInitiated
        var id: ID?
        var task: Task<Void, Never>?
        var isShown = false

        func begin(in graph: ViewGraph) {
            guard let action else { return }
            task = graph.perform(priority: priority, action)
        }

        func end() {
            task?.cancel()
            task = nil
        }
    }

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        var isNew = false
        let running = node.cell(0) {
            isNew = true
            return Running()
        }
        running.action = modifier.action
        running.priority = modifier.priority
        let isOther = running.id != nil && running.id != modifier.id
        running.id = modifier.id
        let graph = node.graph
        if isNew {
            node.whileShown {
                running.isShown = true
                running.begin(in: graph)
            } end: {
                running.isShown = false
                running.end()
            }
        } else if isOther {
            graph.afterUpdate {
                guard running.isShown else { return }
                running.end()
                running.begin(in: graph)
            }
        }
    }
}

/// Tells of the view's coming and going.
struct AppearanceModifier: PrimitiveModifier {
    let appear: (@MainActor () -> Void)?
    let disappear: (@MainActor () -> Void)?

    @MainActor final class Actions {
        var appear: (@MainActor () -> Void)?
        var disappear: (@MainActor () -> Void)?
    }

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        var isNew = false
        let actions = node.cell(0) {
            isNew = true
            return Actions()
        }
        actions.appear = modifier.appear
        actions.disappear = modifier.disappear
        if isNew {
            node.whileShown {
                actions.appear?()
            } end: {
                actions.disappear?()
            }
        }
    }
}

/// Tells of another value than at the last visit.
struct ChangeModifier<Value: Equatable>: PrimitiveModifier {
    let value: Value
    let isInitial: Bool
    let action: @MainActor (Value, Value) -> Void

    @MainActor final class Last { var value: Value? }

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        let last = node.cell(0) { Last() }
        let (before, after) = (last.value, modifier.value)
        last.value = after
        if let before, before != after {
            node.graph.afterUpdate { modifier.action(before, after) }
        } else if before == nil, modifier.isInitial {
            node.graph.afterUpdate { modifier.action(after, after) }
        }
    }
}

extension View {
    /// Runs `action` when the view is shown, and cancels it when it is gone or hidden.
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        modifier(TaskModifier(id: 0, priority: priority, action: action))
    }

    /// Runs `action` when the view is shown and anew whenever `id` is another one.
    public func task<ID: Equatable>(
        id: ID, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        modifier(TaskModifier(id: id, priority: priority, action: action))
    }

    public func onAppear(perform action: (@MainActor () -> Void)? = nil) -> some View {
        modifier(AppearanceModifier(appear: action, disappear: nil))
    }

    public func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> some View {
        modifier(AppearanceModifier(appear: nil, disappear: action))
    }

    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false,
        _ action: @escaping @MainActor (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some View {
        modifier(ChangeModifier(value: value, isInitial: initial, action: action))
    }

    public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
    ) -> some View {
        modifier(ChangeModifier(value: value, isInitial: initial) { _, _ in action() })
    }
}
