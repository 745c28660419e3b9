/// The nodes of one window, and what the window shows.
///
/// An update visits what has changed, composes what that touched, compares what is to be shown with what is, hands the difference over,
/// and only then lets effects begin. All changes of one synchronous stretch of the main actor make one update.
@MainActor
package final class ViewGraph {
    /// What is handed over after an update.
    package struct Update {
        package var patches: [Patch]
        /// All events up to this one have been handled.
        package var handled: Int
    }

    package enum Failure: Error, CustomStringConvertible {
        case neverSettles

        package var description: String {
            "a view asked to be shown anew \(ViewGraph.renewalLimit) times in one update; the window stays as it is"
        }
    }

    /// How often one node is visited in one update.
    nonisolated static let renewalLimit = 64

    /// Called with each update that changed something or acknowledges an event.
    package var onUpdate: (@MainActor (Update) -> Void)?
    /// Called when views never settle; the window shows what it has.
    package var onFailure: (@MainActor (Failure) -> Void)?

    /// Called when a task of the window has ended.
    package var onSettle: (@MainActor () -> Void)?

    /// Runs what the window does, where that is to be done in a context of its own: tests have several devices in one process.
    package var context: (@MainActor (() -> Void) -> Void)?

    /// Nodes visited since the window was made: what an update costs.
    package internal(set) var visited = 0

    private var root: _Node?
    private var frame: (@MainActor (Output) -> Element)?
    private var lastNumber = 0
    private var dirty: [_Node] = []
    private var effects: [@MainActor () -> Void] = []
    private var isScheduled = false
    private var isUpdating = false
    private var updates = 0
    package private(set) var isClosed = false

    private var shown: Element?
    private var interactive: [ElementID: Element] = [:]
    private var typed: TreeDiff.Typed = [:]
    private var handled = 0
    private var acknowledged = 0
    private var focus: ElementID?
    private var tasks = 0
    private var visitedRows: [_Node] = []

    package init() {}

    /// Starts the window.
    /// - Parameter frame: Makes the window's one element of what the views show. Its identifier and tag stay.
    package func start<Root>(
        _ value: Root, environment: EnvironmentStore, visit: @escaping @MainActor (Root, _Node) -> Void,
        frame: @escaping @MainActor (Output) -> Element
    ) {
        precondition(root == nil, "a window starts once")
        self.frame = frame
        let root = _Node(
            self, key: .position(0), type: ObjectIdentifier(Root.self), parent: nil, environment: environment)
        self.root = root
        inContext { root.visit(value, visit) }
        update()
    }

    /// A node that shows nothing, for state that belongs to no view of the window.
    package func makeRoot(_ environment: EnvironmentStore) -> _Node {
        let root = _Node(
            self, key: .position(0), type: ObjectIdentifier(Void.self), parent: nil, environment: environment)
        self.root = root
        return root
    }

    /// Ends the window: tasks are cancelled, views told, state dropped.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        root?.dispose()
        root = nil
        frame = nil
        dirty = []
        effects = []
        interactive = [:]
        // Handlers of elements keep nodes, and nodes this graph.
        shown = nil
        typed = [:]
        visitedRows = []
        onUpdate = nil
    }

    /// What the window shows, as of the last update.
    package var element: Element? { shown }

    /// Nodes that there are; those that were let go are not counted.
    package var nodeCount: Int { root?.count ?? 0 }

    /// Elements of collections that were visited in this update.
    func noteVisit(of node: _Node) {
        if case .element = node.key { visitedRows.append(node) }
    }

    /// The windows numbers begin with 1; 0 is the window's own element.
    func takeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: - Updates

    func add(dirty node: _Node) {
        dirty.append(node)
        schedule()
    }

    /// Has an update made as soon as the main actor is done with what it does now.
    package func schedule() {
        guard !isScheduled, !isUpdating, !isClosed else { return }
        isScheduled = true
        Task { @MainActor in
            isScheduled = false
            update()
        }
    }

    /// Runs `effect` once what is shown now has been handed over.
    package func afterUpdate(_ effect: @escaping @MainActor () -> Void) {
        effects.append(effect)
        schedule()
    }

    /// Asks for the focus to be moved with the next update.
    package func moveFocus(to element: ElementID) {
        focus = element
        schedule()
    }

    /// Whether no update is due.
    package var isUpToDate: Bool { !isScheduled && dirty.isEmpty && effects.isEmpty }

    /// Whether no update is due and none of the window's tasks runs.
    package var isSettled: Bool { isUpToDate && tasks == 0 }

    /// Runs a task of the window's.
    @discardableResult
    package func perform(
        priority: TaskPriority? = nil, _ action: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        tasks += 1
        return Task(priority: priority) { @MainActor in
            await action()
            tasks -= 1
            onSettle?()
        }
    }

    /// Visits, composes, compares, hands over, and lets effects begin.
    package func update() {
        inContext { updateNow() }
    }

    private func inContext(_ work: () -> Void) {
        if let context { context(work) } else { work() }
    }

    private func updateNow() {
        guard !isUpdating, !isClosed, let root, let frame else { return }
        isUpdating = true
        updates += 1
        var output = renew(root)
        // What composes may ask for more: a tab that is shown for the first time.
        while !dirty.isEmpty { output = renew(root) }
        handOver(frame(output))
        for row in visitedRows where row.isAlive { row.letGo() }
        visitedRows = []
        isUpdating = false
        let begun = effects
        effects = []
        for effect in begun where !isClosed { effect() }
    }

    /// Visits what is dirty, those nearest to the root first: what they visit below them is done with them.
    private func renew(_ root: _Node) -> Output {
        while let depth = dirty.lazy.map(\.depth).min() {
            let level = dirty.filter { $0.depth == depth }
            dirty.removeAll { $0.depth == depth }
            for node in level where !node.renew(in: updates) {
                dirty = []
                onFailure?(.neverSettles)
            }
            dirty.removeAll { !$0.isAlive || !$0.isDirty }
        }
        return root.output
    }

    private func handOver(_ element: Element) {
        var patches: [Patch] = []
        if let old = shown {
            let diff = TreeDiff(from: old, to: element, typed: typed)
            patches = diff.patches
            for gone in diff.removed { forget(gone) }
            for new in diff.inserted { learn(new) }
            for kept in diff.kept { interactive[kept.id] = kept.handlers.isEmpty ? nil : kept }
        } else {
            learn(element)
            patches = [.insert(element, into: element.id, before: nil)]
        }
        typed = [:]
        shown = element
        if let focus { patches.append(.focus(focus)) }
        focus = nil
        guard !patches.isEmpty || handled != acknowledged else { return }
        acknowledged = handled
        onUpdate?(Update(patches: patches, handled: handled))
    }

    /// Of all windows: an app shows the same in several.
    private static var attributes = AttributePool()

    private func learn(_ element: Element) {
        element.share(in: &Self.attributes)
        if !element.handlers.isEmpty { interactive[element.id] = element }
        for child in element.children { learn(child) }
    }

    private func forget(_ element: Element) {
        interactive[element.id] = nil
        for child in element.children { forget(child) }
    }

    // MARK: - Events

    /// Does what a person asked for. An event for an element that is gone, disabled, or does not expect it is acknowledged and
    /// has no other effect.
    /// - Returns: Whether anything handled it.
    @discardableResult
    package func handle(_ event: WindowEvent) -> Bool {
        guard !isClosed else { return false }
        handled = max(handled, event.number)
        // After what the event does: nodes hear of changes before the update that acknowledges it.
        defer { schedule() }
        guard let element = interactive[event.target], element["disabled"] == nil,
            let handler = element.handlers.first(where: { $0.event == event.kind })
        else { return false }
        if event.kind == .input, element.value != nil {
            typed[event.target] = (event.value, event.number)
        }
        inContext { handler.action(event) }
        return true
    }
}
