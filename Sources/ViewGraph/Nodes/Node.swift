import Observation

/// The lasting counterpart of a view: a view is made again and again, its node stays while the view is found in its place.
///
/// A node has the state of the view, the environment it was visited with, its children, and what it shows. Values and environment
/// go down when it is *visited*; elements and what rises to containers come up when it is *composed*.
@MainActor
public final class _Node {
    package let number: Int
    package let key: NodeKey
    package let type: ObjectIdentifier
    package let depth: Int
    package let graph: ViewGraph
    package private(set) weak var parent: _Node?
    package private(set) var children: [_Node] = []
    package internal(set) var environment: EnvironmentStore
    /// What children are visited with, where it is not the node's own.
    package var below: EnvironmentStore?
    package private(set) var isAlive = true

    /// Visits the node again with the value that it was last visited with.
    private var revisit: (@MainActor () -> Void)?
    /// The value that it was last visited with.
    private var value: Any?
    private var compose: (@MainActor (_Node) -> Output)?
    private var cachedOutput: Output?
    private var belongings: NodeBelongings?
    private var owned: NodeBelongings {
        if let belongings { return belongings }
        let made = NodeBelongings()
        belongings = made
        return made
    }

    /// Rises with each evaluation, so that changes told to earlier ones count no more.
    private var generation = 0
    var isDirty = true
    private var renewals = (update: 0, count: 0)

    private var search: ChildSearch?
    /// The parent's generation that found the node.
    private(set) var foundIn = 0
    /// There as long as something that the node read can tell it of a change.
    private weak var listener: Listener?
    /// Whether somebody holds the node weakly and will wake it.
    private var isAwaited = false

    package private(set) var isShown: Bool

    /// - Parameter number: That of the node that stood here before and was let go.
    init(
        _ graph: ViewGraph, key: NodeKey, type: ObjectIdentifier, parent: _Node?, environment: EnvironmentStore,
        number: Int? = nil
    ) {
        self.graph = graph
        self.key = key
        self.type = type
        self.parent = parent
        self.environment = environment
        depth = (parent?.depth ?? -1) + 1
        isShown = parent?.isShown ?? true
        self.number = number ?? graph.takeNumber()
    }

    // MARK: - Visiting

    /// Visits the node: with a value of its view, and what to do with it.
    ///
    /// Where neither the value nor the environment has changed since the last time, and nothing that it read, nothing is done.
    package func visit<Value>(_ value: Value, _ body: @escaping @MainActor (Value, _Node) -> Void) {
        if !isDirty, let last = self.value as? Value, ValueComparison.same(last, value) { return }
        self.value = value
        // The value is kept once: it may be large, and there are many nodes.
        revisit = { [unowned self] in
            guard let value = self.value as? Value else { return }
            run { body(value, self) }
        }
        revisit?()
    }

    private func run(_ body: () -> Void) {
        isDirty = false
        generation += 1
        isAwaited = false
        graph.visited += 1
        graph.noteVisit(of: self)
        let earlier = children
        search = earlier.isEmpty ? nil : ChildSearch(earlier)
        children = []
        body()
        for child in earlier where child.foundIn != generation { child.dispose() }
        search = nil
        belongings?.outline = []
        becomeStale()
    }

    /// Visits again, if anything asked for it since.
    /// - Returns: `false` when the node was visited as often in this update as it may be.
    func renew(in update: Int) -> Bool {
        guard isAlive, isDirty else { return true }
        renewals = renewals.update == update ? (update, renewals.count + 1) : (update, 1)
        guard renewals.count <= ViewGraph.renewalLimit else {
            isDirty = false
            return false
        }
        revisit?()
        return true
    }

    /// The child of that key and type: the one of the last visit, or a new one.
    package func child(_ key: NodeKey, of type: Any.Type, environment: EnvironmentStore? = nil) -> _Node {
        let environment = environment ?? below ?? self.environment
        let type = ObjectIdentifier(type)
        let child =
            search?.child(key, type, in: generation)
            ?? newChild(key, type, environment)
        if child.environment.identity != environment.identity {
            child.environment = environment
            child.isDirty = true
        }
        child.foundIn = generation
        children.append(child)
        return child
    }

    private func newChild(_ key: NodeKey, _ type: ObjectIdentifier, _ environment: EnvironmentStore) -> _Node {
        guard let known = belongings?.outline.child(key, type) else {
            return _Node(graph, key: key, type: type, parent: self, environment: environment)
        }
        let child = _Node(
            graph, key: key, type: type, parent: self, environment: environment, number: known.number)
        if !known.below.isEmpty { child.owned.outline = known.below }
        return child
    }

    /// The node's environment, changed as `value` says. While neither has changed the same one is given again, so that views
    /// below are not visited for it.
    package func environment<Value>(
        changedBy value: Value, _ change: (inout EnvironmentStore) -> Void
    ) -> EnvironmentStore {
        // The base is kept, so that no other can come to lie where it lies.
        if let derived = belongings?.derived, derived.kept.identity == environment.identity,
            let last = derived.value as? Value,
            ValueComparison.same(last, value)
        {
            return derived.store
        }
        var store = environment
        change(&store)
        owned.derived = (environment, value, store)
        return store
    }

    // MARK: - State

    /// What lives as long as the node, made when it is first asked for.
    package func cell<Cell: AnyObject>(_ slot: Int, _ make: () -> Cell) -> Cell {
        if let cell = belongings?.cells[slot] as? Cell { return cell }
        let cell = make()
        owned.cells[slot] = cell
        return cell
    }

    /// Connects the properties of a view to this node.
    package func connect<Value>(_ value: inout Value) { DynamicFields.connect(&value, to: self) }

    /// Runs `read`, and visits the node again when something changes that it read.
    ///
    /// Only what makes a value is to be read in it: what is visited below has its own nodes, and they are told of their own changes.
    package func track<Value>(_ read: () -> Value) -> Value {
        let generation = generation
        let listener = listener ?? Listener()
        self.listener = listener
        let hear: @Sendable () -> Void = { [weak self] in
            // Called on whatever thread changes the value.
            withExtendedLifetime(listener) {}
            Task { @MainActor in self?.heard(of: generation) }
        }
        let (value, isOutdated) = Readings.during { withObservationTracking(read, onChange: hear) }
        if isOutdated { hear() }
        return value
    }

    /// Connects a copy of the value to this node and makes something of it; the node is visited again when something changes that
    /// either read.
    package func evaluate<Value, Result>(_ value: Value, _ make: (Value) -> Result) -> Result {
        track {
            var value = value
            connect(&value)
            return make(value)
        }
    }

    private func heard(of generation: Int) {
        if generation == self.generation { invalidate() }
    }

    /// Has the node visited again with the next update.
    package func invalidate() {
        guard isAlive, !isDirty else { return }
        isDirty = true
        graph.add(dirty: self)
    }

    // MARK: - Composing

    /// How the node's output is made from its children's; without it, it is theirs one after the other.
    package func composes(_ compose: @escaping @MainActor (_Node) -> Output) { self.compose = compose }

    /// Has what the node was to show changed.
    package func wrapOutput(_ change: @escaping @MainActor (inout Output, _Node) -> Void) {
        let inner = compose
        compose = { node in
            var output = inner?(node) ?? node.childrenOutput
            change(&output, node)
            return output
        }
    }

    /// What the node shows, as of now.
    package var output: Output {
        if let cachedOutput { return cachedOutput }
        if isOutlined { revisit?() }
        let output = compose?(self) ?? childrenOutput
        cachedOutput = output
        return output
    }

    /// What the children show, one after the other.
    package var childrenOutput: Output {
        if children.count == 1 { return children[0].output }
        var sum = Output()
        for child in children { sum.add(child.output) }
        return sum
    }

    /// Has the node composed again with the next update, and all above it; nothing is visited.
    package func recompose() {
        becomeStale()
        graph.schedule()
    }

    private func becomeStale() {
        var node: _Node? = self
        while let stale = node {
            // To the root, whatever is stale on the way: a container may compose what lies deeper than its children.
            stale.cachedOutput = nil
            node = stale.parent
        }
    }

    // MARK: - Letting go

    /// Says that somebody holds the node weakly, to have it visited again later.
    package func waits() { isAwaited = true }

    /// Whether the children were let go, and only their outline is there.
    private var isOutlined: Bool { belongings?.outline.isEmpty == false }

    /// Whether all that can change the node comes from above.
    private var isPlain: Bool {
        guard !isDirty, !isAwaited, listener == nil else { return false }
        guard let belongings else { return true }
        return belongings.cells.isEmpty && belongings.lifetimes.isEmpty && belongings.endings.isEmpty
    }

    /// Lets go of the nodes below that only hand down what they are given: what they show is kept here, and they are made again,
    /// with the same numbers, when the node is visited with something else.
    ///
    /// A list has many rows, and most nodes of a row are such nodes. Elements of collections stay, as they are to be compared one by
    /// one.
    /// - Returns: Whether the node itself may be let go.
    @discardableResult
    func letGo() -> Bool {
        var areAllPlain = true
        for child in children {
            guard case .position = child.key else { return false }
            if !child.letGo() { areAllPlain = false }
        }
        guard areAllPlain, cachedOutput != nil else { return false }
        if !children.isEmpty {
            owned.outline = NodeOutline(children)
            for child in children { child.dispose() }
            children = []
        }
        return isPlain
    }

    /// What is to be remembered of the node for its outline.
    var outline: NodeOutline { belongings?.outline ?? [] }

    /// The node and all nodes below it.
    var count: Int { children.reduce(1) { $0 + $1.count } }

    // MARK: - Lifetime

    /// Begins something, once what is shown has been sent, and ends it when the node is gone or hidden.
    package func whileShown(
        begin: @escaping @MainActor () -> Void, end: @escaping @MainActor () -> Void = {}
    ) {
        let lifetime = Lifetime(begin: begin, end: end)
        owned.lifetimes.append(lifetime)
        if isShown { start(lifetime) }
    }

    /// Does something when the node is gone.
    package func whileAlive(end: @escaping @MainActor () -> Void) { owned.endings.append(end) }

    private func start(_ lifetime: Lifetime) {
        graph.afterUpdate { [weak self] in
            guard let self, self.isAlive, self.isShown, !lifetime.isRunning else { return }
            lifetime.isRunning = true
            lifetime.begin()
        }
    }

    private func stop(_ lifetime: Lifetime) {
        guard lifetime.isRunning else { return }
        lifetime.isRunning = false
        lifetime.end()
    }

    /// Hides or shows the node and all below it, as a tab or a covered page is.
    package func setShown(_ shown: Bool) {
        guard isShown != shown, !shown || parent?.isShown ?? true else { return }
        isShown = shown
        for lifetime in belongings?.lifetimes ?? [] {
            if shown { start(lifetime) } else { stop(lifetime) }
        }
        for child in children { child.setShown(shown) }
    }

    func dispose() {
        guard isAlive else { return }
        isAlive = false
        for child in children { child.dispose() }
        for child in search?.earlier ?? [] { child.dispose() }
        for lifetime in belongings?.lifetimes ?? [] { stop(lifetime) }
        for end in belongings?.endings ?? [] { end() }
        belongings = nil
        revisit = nil
        value = nil
        compose = nil
        cachedOutput = nil
        children = []
        search = nil
    }
}
