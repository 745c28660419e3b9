package import CloudCore
import CloudWire
import HTTPCore

/// Reads the device's push log: one long poll for all containers of the process, and only while somebody listens.
///
/// The place in the log is kept per app and moved on after a push was handed out, so a broken poll or a crash repeats a
/// push but loses none.
package actor PushListener {
    package typealias Handler = @Sendable ([UInt8]) -> Void

    private struct Registration {
        let token: String
        let courier: String
    }

    private let connection: CloudConnection
    private let app: String
    /// Tells the service whose poll this is: a new one ends the one that was left behind, not those of other processes.
    private let listener = String(UInt64.random(in: .min ... .max), radix: 36)
    private var account: DeviceSettings.Account?
    private var registration: Registration?
    private var registered: Set<ContainerID> = []
    private var pending: [ContainerID: SharedWork<Void>] = [:]
    private var wanted: Set<ContainerID> = []
    private var after: Int64?
    private var handlers: [Int: Handler] = [:]
    private var nextHandler = 0
    private var loop: Task<Void, Never>?

    package init(connection: CloudConnection, app: String) {
        self.connection = connection
        self.app = app
    }

    // MARK: - Containers

    /// A container of this process; it is registered while somebody listens.
    package func use(_ container: ContainerID) {
        guard wanted.insert(container).inserted, !handlers.isEmpty else { return }
        startLoop(again: true)
    }

    /// Returns when the service knows that this device wants the container's pushes: none sent after it is missed.
    package func register(_ container: ContainerID) async throws {
        wanted.insert(container)
        forgetOtherAccount()
        while !registered.contains(container) {
            let work = pending[container] ?? SharedWork { try await self.registerNow(container) }
            pending[container] = work
            let done: Void?
            do {
                defer { if work.isOver, pending[container] === work { pending[container] = nil } }
                done = try await work.value()
            }
            guard done != nil else { continue }
            if !handlers.isEmpty { startLoop(again: loop == nil) }
            return
        }
    }

    private func registerNow(_ container: ContainerID) async throws {
        let principal = connection.store.settings.principal
        let api = CloudAPI(
            connection: connection, target: CloudTarget(container: container, scope: .private),
            options: CallOptions(principal: principal))
        let known = registration
        let created: TokensResponse
        if let known {
            created = try await api.registerPushToken(known.token)
        } else {
            created = try await api.createPushToken()
            _ = try await api.registerPushToken(created.apnsToken)
        }
        // What was made for another account meanwhile must not be taken for this one's.
        _ = try connection.account(for: principal)
        forgetOtherAccount()
        if registration == nil {
            registration = Registration(token: created.apnsToken, courier: created.webcourierURL)
            let kept = connection.store.pushCursor(of: app)
            after = kept?.token == created.apnsToken ? kept?.after : created.pushSequence
            keepCursor()
        }
        registered.insert(container)
    }

    /// Another account has another token and another log.
    private func forgetOtherAccount() {
        let current = connection.store.settings.account
        guard current != account else { return }
        account = current
        registration = nil
        registered = []
        // What is under way is the old account's, and so is its failure.
        pending = [:]
        after = nil
    }

    private func keepCursor() {
        guard let registration, let after else { return }
        // A cursor that cannot be written costs a repeated push after a restart, which a push may always be.
        try? connection.store.setPushCursor(PushCursor(token: registration.token, after: after), of: app)
    }

    // MARK: - Listening

    /// Starts handing payloads to `handler`; the number ends it.
    package func addHandler(_ handler: @escaping Handler) -> Int {
        nextHandler += 1
        handlers[nextHandler] = handler
        startLoop(again: false)
        return nextHandler
    }

    package func removeHandler(_ number: Int) {
        handlers[number] = nil
        if handlers.isEmpty {
            loop?.cancel()
            loop = nil
        }
    }

    /// Signing in or out: reads the new account's log from now on.
    package func accountChanged() {
        forgetOtherAccount()
        if !handlers.isEmpty { startLoop(again: true) }
    }

    private func startLoop(again: Bool) {
        if again {
            loop?.cancel()
            loop = nil
        }
        guard loop == nil else { return }
        loop = Task { [weak self] in
            var failures = 0
            while !Task.isCancelled {
                guard let wait = await self?.step(failures: &failures) else { return }
                if wait > 0 { try? await Task.sleep(for: .seconds(wait)) }
            }
        }
    }

    /// One poll. Seconds to wait before the next one; `nil` at the end of listening.
    private func step(failures: inout Int) async -> Double? {
        if Task.isCancelled { return nil }
        forgetOtherAccount()
        // A sign-in and a container start the loop anew; this is for a sign-in that nobody tells of.
        guard connection.store.settings.isSignedIn, !wanted.isEmpty else { return 30 }
        do {
            for container in wanted.subtracting(registered) {
                // A container that cannot be registered now must not silence the others.
                do { try await registerNow(container) } catch { if registration == nil { throw error } }
            }
            let start = ContinuousClock.now
            let found = try await poll()
            failures = 0
            // A service that answers an empty poll at once is not to be asked without pause.
            return !found && ContinuousClock.now - start < .seconds(1) ? 1 : 0
        } catch is CancellationError {
            return 0
        } catch {
            failures += 1
            if let error = error as? CloudError, [401, 404, 421].contains(error.code.httpStatus) {
                registration = nil
                registered = []
            }
            return (error as? CloudError)?.retryAfter ?? RetryPolicy.backOff(failures, .random(in: 0.5...1))
        }
    }

    /// Whether a push came.
    private func poll() async throws -> Bool {
        guard let registration else { return false }
        var target = registration.courier + "&listener=\(listener)"
        if let after { target += "&after=\(after)" }
        let response = try await connection.transport.send(
            HTTPRequest(method: "GET", target: target), timeout: .seconds(90))
        try Task.checkCancellation()
        guard (200..<300).contains(response.status) else { throw Refusal.error(of: response) }
        guard !response.body.isEmpty, registration.token == self.registration?.token,
            account == connection.store.settings.account
        else { return false }
        for handler in handlers.values { handler(response.body) }
        if let header = response.headers["X-Cumulet-Push-Sequence"], let sequence = Int64(header) {
            after = max(after ?? 0, sequence)
            keepCursor()
        }
        return true
    }
}
