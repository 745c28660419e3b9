public import CloudKit
public import SwiftUI
package import ViewGraph

/// A window of an app, as a person meets it: roles, names and values, no page and no browser.
///
/// Only what can be reached is seen: while a dialogue is open, nothing but it; nothing of a covered page or a hidden tab.
@MainActor
public final class Screen {
    let app: AppInstance
    let window: AppWindow
    let ownsApp: Bool
    private var waiters: [() -> Void] = []

    /// Starts the app and opens its first window.
    /// - Parameter now: The time that texts count from.
    public init<Program: App>(_ type: Program.Type, now: @escaping @Sendable () -> Date = { .now }) {
        app = AppInstance(type, application: UIApplication.shared, clock: ViewClock(now))
        window = app.openWindow("first")
        ownsApp = true
        listen()
    }

    /// Shows a view in a window of its own.
    /// - Parameter device: The device that the view runs on: containers that it makes are this device's.
    public convenience init<Content: View>(
        on device: CloudDevice? = nil, now: @escaping @Sendable () -> Date = { .now },
        @ViewBuilder _ content: @escaping () -> Content
    ) {
        self.init(AppInstance(showing: content, on: device, clock: ViewClock(now)))
    }

    private init(_ app: AppInstance) {
        self.app = app
        window = app.openWindow("first")
        ownsApp = true
        listen()
    }

    private init(of app: AppInstance, _ identifier: String) {
        self.app = app
        window = app.openWindow(identifier)
        ownsApp = false
        listen()
    }

    /// Opens another window of the same app.
    public func openWindow() -> Screen { Screen(of: app, "window-\(UUID().uuidString)") }

    /// Closes the window; the app ends with its first one.
    public func close() {
        app.close(window)
        if ownsApp { app.end() }
    }

    /// Nodes evaluated since the window was opened.
    public var evaluations: Int { window.graph.visited }

    /// The nodes of the window.
    package var graph: ViewGraph { window.graph }

    /// Nodes that the window keeps.
    package var nodeCount: Int { window.graph.nodeCount }

    /// Told of what each update changes.
    package var onPatches: (([Patch]) -> Void)?

    private func listen() {
        window.graph.onUpdate = { [weak self] update in
            self?.onPatches?(update.patches)
            self?.wake()
        }
        window.graph.onSettle = { [weak self] in self?.wake() }
    }

    private func wake() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter() }
    }

    // MARK: - Looking

    /// What can be reached now, in reading order.
    public var parts: [ScreenPart] {
        guard let root = window.graph.element else { return [] }
        return ScreenReader(root).parts
    }

    /// Roles, names and values, a line each, indented.
    public var outline: String {
        parts.map { part in
            String(repeating: "  ", count: part.depth) + part.description
        }.joined(separator: "\n")
    }

    /// The first part of a role whose name is `name`, or contains it.
    public func find(_ role: ScreenPart.Role, _ name: String? = nil, containing text: String? = nil) -> ScreenPart? {
        parts.first { part in
            part.role == role && (name == nil || part.name == name)
                && (text == nil || part.name.contains(text ?? "") || part.texts.contains { $0.contains(text ?? "") })
        }
    }

    // MARK: - Waiting

    /// Waits until a part is there.
    @discardableResult
    public func expect(
        _ role: ScreenPart.Role, _ name: String? = nil, containing text: String? = nil,
        within limit: Duration = .seconds(20)
    ) async throws -> ScreenPart {
        try await wait(for: "\(role) '\(name ?? text ?? "")'", within: limit) { find(role, name, containing: text) }
    }

    /// Waits until no such part is there.
    public func expectNo(
        _ role: ScreenPart.Role, _ name: String? = nil, containing text: String? = nil,
        within limit: Duration = .seconds(20)
    ) async throws {
        try await wait(for: "no \(role) '\(name ?? text ?? "")'", within: limit) {
            find(role, name, containing: text) == nil ? true : nil
        }
    }

    /// Waits until no update is due and no task of the window runs.
    public func settle(within limit: Duration = .seconds(20)) async throws {
        try await wait(for: "the window to settle", within: limit) { window.graph.isSettled ? true : nil }
    }

    /// Waits for the next update until `look` finds something.
    @discardableResult
    public func wait<Found>(
        for what: String, within limit: Duration = .seconds(20), _ look: () -> Found?
    ) async throws -> Found {
        let deadline = ContinuousClock.now + limit
        while true {
            if let found = look() { return found }
            guard ContinuousClock.now < deadline else {
                throw ScreenError("\(what) did not come within \(limit); there is:\n\(outline)")
            }
            await nextChange(until: deadline)
        }
    }

    /// Waits for an update, for the end of a task, or for a moment: what the screen waits for may lie outside of it.
    private func nextChange(until deadline: ContinuousClock.Instant) async {
        let moment = Task { @MainActor [weak self] in
            try? await Task.sleep(for: .milliseconds(50))
            self?.wake()
        }
        await withCheckedContinuation { continuation in waiters.append { continuation.resume() } }
        moment.cancel()
    }

    // MARK: - Doing

    /// Taps a part, once it is there and can be used.
    public func tap(_ role: ScreenPart.Role, _ name: String? = nil, containing text: String? = nil) async throws {
        let part = try await wait(for: "a usable \(role) '\(name ?? text ?? "")'") {
            find(role, name, containing: text).flatMap { $0.isEnabled ? $0 : nil }
        }
        try await send(.click, to: part)
    }

    /// Types text in place of what a field holds, a letter at a time.
    public func type(_ text: String, into name: String) async throws {
        let field = try await wait(for: "a field '\(name)'") {
            parts.first { [.textField, .textArea, .comboBox].contains($0.role) && $0.name == name && $0.isEnabled }
        }
        var typed = ""
        try await send(.focus, to: field)
        for character in text {
            typed.append(character)
            try await send(.input, to: field, value: typed)
        }
        if text.isEmpty { try await send(.input, to: field, value: "") }
        try await send(.blur, to: field)
    }

    /// Presses Enter in a field.
    public func submit(_ name: String) async throws {
        guard let field = parts.first(where: { $0.role == .textField && $0.name == name }) else {
            throw ScreenError("no field '\(name)'; there is:\n\(outline)")
        }
        try await send(.submit, to: field)
    }

    /// Chooses an option of a picker by its words.
    public func choose(_ option: String, in name: String) async throws {
        let picker = try await expect(.comboBox, name)
        guard let index = picker.options.firstIndex(of: option) else {
            throw ScreenError("'\(name)' has no '\(option)' but \(picker.options)")
        }
        try await send(.input, to: picker, value: String(index))
    }

    /// Chooses files by a button, or drops them on what holds a part.
    /// - Parameter text: The name of a part that takes files, or that lies in something that does.
    public func bring(_ files: [URL], to text: String, within limit: Duration = .seconds(20)) async throws {
        let target = try await wait(for: "something named '\(text)' that takes files", within: limit) {
            window.graph.element.flatMap { ScreenReader.taker(of: .files, around: text, in: $0) }
        }
        event += 1
        window.graph.handle(
            WindowEvent(.files, target.id, files: BroughtFiles(paths: files.map(\.path)), number: event))
        try await settleUpdate()
    }

    /// Holds something over what takes files and has a part of that name, or takes it away again.
    public func hold(over text: String, _ isOver: Bool = true) async throws {
        let target = try await wait(for: "something named '\(text)' that files can be held over") {
            window.graph.element.flatMap { ScreenReader.taker(of: .over, around: text, in: $0) }
        }
        event += 1
        window.graph.handle(WindowEvent(.over, target.id, value: isOver ? "1" : "0", number: event))
        try await settleUpdate()
    }

    /// Closes the topmost dialogue by a gesture.
    public func dismiss() async throws {
        guard let dialog = parts.first(where: { $0.role == .dialog }) else { throw ScreenError("no dialogue is open") }
        try await send(.dismiss, to: dialog)
    }

    /// Goes back as a browser does.
    public func back() async throws {
        let depth = Int(window.graph.element?["data-depth"] ?? "") ?? 0
        event += 1
        window.graph.handle(WindowEvent(.back, ElementID(0), value: String(max(0, depth - 1)), number: event))
        try await settleUpdate()
    }

    private var event = 0

    private func send(_ kind: WindowEvent.Kind, to part: ScreenPart, value: String = "") async throws {
        event += 1
        window.graph.handle(WindowEvent(kind, part.id, value: value, number: event))
        try await settleUpdate()
    }

    /// Waits until what was done is shown. Tasks that it began may go on.
    private func settleUpdate() async throws {
        // What an action changed is told by jobs of the main actor that wait already; the update comes after them.
        for _ in 0..<3 { await Task.yield() }
        try await wait(for: "an update") { window.graph.isUpToDate ? true : nil }
    }
}

/// Something that was not on the screen, with what was there instead.
public struct ScreenError: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
}
