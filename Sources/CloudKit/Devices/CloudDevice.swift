package import CloudClient
import CloudCore
public import Foundation
import HTTPClient
package import HTTPCore
import Synchronization

/// Where a signed-in account lives: a folder with its identity, tokens and push cursors.
///
/// `CKContainer(identifier:)` picks up the current device: the one that ``withCurrent(_:)`` set for the task, else
/// the one of the environment. That is how one process plays two phones.
public final class CloudDevice: Sendable {
    @TaskLocal private static var taskDevice: CloudDevice?

    /// The device of the environment: `CUMULET_DEVICE`, else the user's configuration folder.
    private static let environmentDevice = CloudDevice(folder: DeviceStore.defaultFolder())

    public static var current: CloudDevice { taskDevice ?? environmentDevice }

    package let store: DeviceStore
    let connection: CloudConnection
    private let network: SwitchedTransport
    let listener: PushListener
    let assets: AssetCache
    let operations: OperationStore
    private let overrides: Overrides
    private let known: Mutex<KnownAccount>
    private let used = Mutex<Set<ContainerID>>([])
    private let use = Mutex(CurrentUse())

    /// The device kept in `folder`, which is made when something has to be kept.
    public convenience init(folder: URL) {
        self.init(transport: CurlTransport(), store: DeviceStore(folder: folder))
    }

    /// A device with a transport and a store of its own.
    /// - Parameter environment: Reads an environment variable.
    package init(
        transport: any HTTPTransport, store: DeviceStore = DeviceStore(inMemory: DeviceSettings()),
        environment: @escaping @Sendable (String) -> String? = { ProcessInfo.processInfo.environment[$0] },
        pause: Pause = .system, interfaces: NetworkInterfaces = .system
    ) {
        let overrides = Overrides()
        let transport = SwitchedTransport(transport)
        network = transport
        self.store = store
        self.overrides = overrides
        connection = CloudConnection(
            store: store, transport: transport, overrides: { overrides[$0] }, environment: environment, pause: pause,
            interfaces: interfaces)
        listener = PushListener(connection: connection, app: ProcessInfo.processInfo.processName)
        known = Mutex(KnownAccount(account: store.settings.account))
        operations = OperationStore(deviceFolder: store.folder)
        assets = AssetCache(
            folder: store.folder, account: { store.settings.accountHash },
            limit: { store.settings.assetCacheBytes ?? AssetCache.defaultLimit })
        connection.onRefusal { [weak self] in self?.noticeAccount() }
    }

    /// Runs `body` with this device as the current one.
    @discardableResult
    public func withCurrent<R>(_ body: () throws -> R) rethrows -> R {
        try Self.$taskDevice.withValue(self, operation: body)
    }

    @discardableResult
    nonisolated(nonsending) public func withCurrent<R>(_ body: nonisolated(nonsending) () async throws -> R)
        async rethrows -> R
    {
        try await Self.$taskDevice.withValue(self) { try await body() }
    }

    /// Whether the device is cut off from the network: calls fail as they do in a tunnel, and nothing is told of. Turning it on
    /// ends what is under way.
    public var isOffline: Bool {
        get { network.isOffline }
        set { network.isOffline = newValue }
    }

    // MARK: - Account

    public var isSignedIn: Bool { store.settings.isSignedIn }
    public var emailAddress: String? { store.settings.emailAddress }
    /// What tells the account's devices apart.
    public var deviceID: String { store.settings.deviceID }

    /// Signs the device in and ends the session it had. A refusal leaves the device as it was. Posts `CKAccountChanged`.
    /// - Parameters:
    ///   - password: Not asked for by a development service.
    ///   - server: The service's base URL; the device keeps it.
    public func signIn(_ emailAddress: String, password: String? = nil, server: URL? = nil) async throws {
        let address = server?.absoluteString ?? connection.server(of: ContainerID(""))
        let base = address.last == "/" ? String(address.dropLast()) : address
        let before = store.settings
        do {
            let grant = try await CumuletCalls.signIn(
                server: base, emailAddress: emailAddress, password: password, deviceID: store.settings.deviceID,
                deviceName: ProcessInfo.processInfo.hostName, transport: connection.transport)
            try store.update { settings in
                settings.server = base
                settings.emailAddress = emailAddress
                settings.deviceSession = grant.deviceSession
            }
        } catch {
            throw CKError(failure: error, scope: .private, isRead: false)
        }
        noticeAccount()
        // A service that cannot be told lets the old session run out.
        if let session = before.deviceSession {
            try? await CumuletCalls.signOut(
                server: before.server ?? base, deviceSession: session, transport: connection.transport)
        }
    }

    /// Signs the device out, also when the service cannot be reached. Posts `CKAccountChanged`.
    public func signOut() async throws {
        let settings = store.settings
        guard let session = settings.deviceSession else { return }
        let server = connection.server(of: ContainerID(""))
        do {
            try store.update { settings in
                settings.deviceSession = nil
                settings.emailAddress = nil
            }
        } catch {
            throw CKError(failure: error, scope: .private, isRead: false)
        }
        noticeAccount()
        // The device has forgotten the secret; a service that was not told lets the session run out.
        try? await CumuletCalls.signOut(server: server, deviceSession: session, transport: connection.transport)
    }

    /// Posts `CKAccountChanged` when the account, or whether the service takes it, is another than the last time, whoever
    /// changed it.
    func noticeAccount() {
        let current = KnownAccount(account: store.settings.account, isRefused: connection.isSessionRefused)
        let before = known.withLock { known in
            defer { known = current }
            return known
        }
        guard before != current else { return }
        if before.account != current.account {
            operations.removeOthers(thanOf: store.settings.accountHash)
            Task {
                await listener.accountChanged()
                await assets.forgetOthers()
            }
        }
        if isInUse { NotificationCenter.default.post(name: .CKAccountChanged, object: nil) }
    }

    /// Tells this process of changes of the account as long as the result lives. Other processes' sign-ins are noticed with
    /// the next call on a device in memory, and where the folder cannot be watched.
    func startUse() -> DeviceUse {
        let (current, isNew) = use.withLock { use -> (DeviceUse, Bool) in
            if let current = use.current { return (current, false) }
            let new = DeviceUse(
                watch: store.folder.flatMap { FolderWatch($0) { [weak self] in self?.noticeAccount() } })
            use.current = new
            return (new, true)
        }
        // What happened before the watch began.
        if isNew { noticeAccount() }
        return current
    }

    /// Whether the process is told of changes of the account.
    package var isInUse: Bool { use.withLock { $0.current != nil } }
    package var isWatched: Bool { use.withLock { $0.current?.watch != nil } }

    /// Whether somebody is signed in, and the service takes the session as far as is known.
    var accountStatus: CKAccountStatus {
        guard isSignedIn else { return .noAccount }
        return connection.isSessionRefused ? .temporarilyUnavailable : .available
    }

    // MARK: - Settings

    /// Sets, for this object only and stronger than the environment and the folder, where a container is found.
    ///
    /// `nil` leaves a setting as it is.
    public func configure(
        _ containerIdentifier: String, server: URL? = nil, apiToken: String? = nil, environment: Environment? = nil
    ) {
        overrides.change(ContainerID(containerIdentifier)) { set in
            if let server { set.server = server.absoluteString }
            if let apiToken { set.apiToken = apiToken }
            if let environment { set.environment = environment == .production ? .production : .development }
        }
    }

    /// One of the two worlds of a container.
    public enum Environment: String, Hashable, Sendable {
        case development
        case production
    }

    // MARK: - Push

    /// A container of this process: its pushes are of interest.
    func use(_ container: ContainerID) {
        guard used.withLock({ $0.insert(container).inserted }) else { return }
        Task { await listener.use(container) }
    }

    /// One of the containers of this process, always the same one of the same containers.
    var containerInUse: ContainerID? { used.withLock { $0.min { $0.rawValue < $1.rawValue } } }

    func uses(_ container: String?) -> Bool {
        guard let container else { return true }
        return used.withLock { $0.contains(ContainerID(container)) }
    }

    /// What the service tells this device, for the containers this process uses, until the sequence is dropped.
    ///
    /// Everything sent since the first subscription of this process was saved is told, and what was not told to an
    /// earlier process of the same app. A push may come twice; change tokens tell what is new.
    public func notifications() -> AsyncStream<CKNotification> { told { _, notification in notification } }

    /// The same as ``notifications()``, as the JSON object that an app's delegate is handed.
    package func remoteNotifications() -> AsyncStream<[UInt8]> { told { payload, _ in payload } }

    private func told<Element: Sendable>(
        _ element: @escaping @Sendable ([UInt8], CKNotification) -> Element
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let containers = used.withLock { $0 }
        let listener = listener
        let start = Task {
            for container in containers { await listener.use(container) }
            return await listener.addHandler { [weak self] payload in
                guard let dictionary = try? JSONSerialization.jsonObject(with: Data(payload)) as? [AnyHashable: Any],
                    let notification = CKNotification(fromRemoteNotificationDictionary: dictionary),
                    self?.uses(notification.containerIdentifier) == true
                else { return }
                continuation.yield(element(payload, notification))
            }
        }
        // As long as somebody listens, another process's sign-in starts the new account's log.
        let use = startUse()
        continuation.onTermination = { _ in
            withExtendedLifetime(use) {
                _ = Task { await listener.removeHandler(await start.value) }
            }
        }
        return stream
    }
}

/// The use of a device by containers, databases, operations and listeners of this process.
final class DeviceUse: Sendable {
    let watch: FolderWatch?

    init(watch: FolderWatch?) { self.watch = watch }
}

private struct CurrentUse {
    weak var current: DeviceUse?
}

/// What the app was last told of the account.
private struct KnownAccount: Equatable {
    var account: DeviceSettings.Account?
    var isRefused = false
}

/// What code has set per container.
private final class Overrides: Sendable {
    private let sets = Mutex<[ContainerID: AddressOverride]>([:])

    subscript(container: ContainerID) -> AddressOverride {
        sets.withLock { $0[container] ?? AddressOverride() }
    }

    func change(_ container: ContainerID, _ change: (inout AddressOverride) -> Void) {
        sets.withLock { change(&$0[container, default: AddressOverride()]) }
    }
}
