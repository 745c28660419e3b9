import ViewGraph

/// What containers hand down to what is in them.
extension EnvironmentValues {
    /// Holds back the views of a tab that was never shown.
    var gate: Gate? {
        get { self[GateKey.self] }
        set { self[GateKey.self] = newValue }
    }

    /// The stack of pages around the view.
    var navigation: NavigationModel? {
        get { self[NavigationKey.self] }
        set { self[NavigationKey.self] = newValue }
    }

    /// How much of a long list is shown.
    var listPart: ListPart? {
        get { self[ListPartKey.self] }
        set { self[ListPartKey.self] = newValue }
    }

    /// The alert or dialogue whose buttons these are.
    var presentation: PresentationModel? {
        get { self[PresentationKey.self] }
        set { self[PresentationKey.self] = newValue }
    }

    /// The environment of what is presented over everything: the looks and objects of where it was asked for, no container.
    var forPresentation: EnvironmentValues {
        var values = self
        values.gate = nil
        values.navigation = nil
        values.listPart = nil
        values.presentation = nil
        values.sectionTitle = nil
        values.font = nil
        values.foreground = nil
        values.isEnabled = true
        return values
    }
}

private enum GateKey: EnvironmentKey { static var defaultValue: Gate? { nil } }
private enum NavigationKey: EnvironmentKey { static var defaultValue: NavigationModel? { nil } }
private enum ListPartKey: EnvironmentKey { static var defaultValue: ListPart? { nil } }
private enum PresentationKey: EnvironmentKey { static var defaultValue: PresentationModel? { nil } }

/// Lets views be evaluated once they are to be shown.
@MainActor
final class Gate {
    private(set) var isOpen = false
    private var waiting: [() -> Void] = []

    /// Whether the node may go on; if not, it is visited again when the gate opens.
    func lets(_ node: _Node) -> Bool {
        if !isOpen {
            node.waits()
            waiting.append { [weak node] in node?.invalidate() }
        }
        return isOpen
    }

    func open() {
        guard !isOpen else { return }
        isOpen = true
        for wake in waiting { wake() }
        waiting = []
    }
}

/// The alert or dialogue around a button.
@MainActor
final class PresentationModel {
    private let close: () -> Void
    init(close: @escaping () -> Void) { self.close = close }
    func buttonWasTapped() { close() }
}

/// What rises to the containers.
enum TitleKey: OutputKey { static var initial: String? { nil } }
enum DialogKey: OutputKey {
    static var initial: [Element] { [] }
    static func reduce(_ value: inout [Element], _ next: [Element]) { value += next }
}
enum InlineTitleKey: OutputKey { static var initial: Bool? { nil } }
enum RefreshKey: OutputKey { static var initial: RefreshModel? { nil } }
enum SearchKey: OutputKey { static var initial: Element? { nil } }
/// How many pages the window's stack has above its first, and what leaves the last.
enum BackKey: OutputKey { static var initial: (depth: Int, pop: @MainActor (_ depth: Int) -> Void)? { nil } }
