package import ViewGraph

/// Names a value of the environment.
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// The values that come to a view from the views above it.
public struct EnvironmentValues {
    package var store: EnvironmentStore

    package init(_ store: EnvironmentStore) { self.store = store }
    public init() { store = EnvironmentStore() }

    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { store[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { store[ObjectIdentifier(key)] = newValue }
    }

    /// The object of that type that a view above set.
    public subscript<Object: AnyObject & Observable>(type: Object.Type) -> Object? {
        get { store[ObjectIdentifier(type)] as? Object }
        set { store[ObjectIdentifier(type)] = newValue }
    }
}

extension EnvironmentValues {
    /// Whether controls can be used.
    public var isEnabled: Bool {
        get { self[IsEnabledKey.self] }
        set { self[IsEnabledKey.self] = newValue }
    }

    /// Closes the sheet, or leaves the page, that the view is on.
    public internal(set) var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }

    /// What refreshes the content around the view, if anything does.
    public internal(set) var refresh: RefreshAction? {
        get { self[RefreshActionKey.self] }
        set { self[RefreshActionKey.self] = newValue }
    }

    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }

    public var locale: Locale {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }

    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    public var timeZone: TimeZone {
        get { self[TimeZoneKey.self] }
        set { self[TimeZoneKey.self] = newValue }
    }

    /// Whether the window that the view is in is looked at.
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    /// The lines that a text may have.
    public var lineLimit: Int? {
        get { self[LineLimitKey.self] }
        set { self[LineLimitKey.self] = newValue }
    }

    var foreground: ForegroundStyle? {
        get { self[ForegroundKey.self] }
        set { self[ForegroundKey.self] = newValue }
    }

    /// The time that texts count from; tests turn it.
    package var clock: ViewClock {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }
}

private enum IsEnabledKey: EnvironmentKey { static let defaultValue = true }
private enum DismissKey: EnvironmentKey { static let defaultValue = DismissAction {} }
private enum RefreshActionKey: EnvironmentKey { static var defaultValue: RefreshAction? { nil } }
private enum FontKey: EnvironmentKey { static let defaultValue: Font? = nil }
private enum LocaleKey: EnvironmentKey { static var defaultValue: Locale { .current } }
private enum CalendarKey: EnvironmentKey { static var defaultValue: Calendar { .current } }
private enum TimeZoneKey: EnvironmentKey { static var defaultValue: TimeZone { .current } }
private enum ScenePhaseKey: EnvironmentKey { static let defaultValue = ScenePhase.active }
private enum LineLimitKey: EnvironmentKey { static let defaultValue: Int? = nil }
private enum ForegroundKey: EnvironmentKey { static let defaultValue: ForegroundStyle? = nil }
private enum ClockKey: EnvironmentKey { static var defaultValue: ViewClock { ViewClock { .now } } }

/// Tells the time to texts that count from it.
package struct ViewClock: Sendable {
    package let now: @Sendable () -> Date
    package init(_ now: @escaping @Sendable () -> Date) { self.now = now }
}

/// Whether a window is looked at.
public enum ScenePhase: Comparable, Hashable, Sendable {
    case background, inactive, active
}

/// Closes what a view is shown in.
@MainActor @preconcurrency
public struct DismissAction: Equatable, Sendable {
    private let identity: ObjectIdentifier?
    private let action: @MainActor @Sendable () -> Void

    nonisolated init(of owner: AnyObject? = nil, _ action: @escaping @MainActor @Sendable () -> Void) {
        identity = owner.map { ObjectIdentifier($0) }
        self.action = action
    }

    public func callAsFunction() { action() }

    // Of one owner all are the same, so that what was made with one need not be made again for another.
    nonisolated public static func == (left: Self, right: Self) -> Bool {
        left.identity == right.identity && left.identity != nil
    }
}

/// Refreshes the content around a view.
public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void
    public func callAsFunction() async { await action() }
}
