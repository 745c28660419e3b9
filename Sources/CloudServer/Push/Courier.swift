import Synchronization

/// Polls that wait for a push. One ticker ends those whose time is over; waiting costs no timer and no thread.
final class Courier: Sendable {
    private struct Poll {
        let listener: String
        var deadline: ContinuousClock.Instant
        /// `nil` until the poll sleeps.
        var continuation: CheckedContinuation<Void, Never>?
        /// Woken between its look at the log and its sleep.
        var isWoken = false
        /// Not worth another look: its client polls anew.
        var isOver = false
    }

    private struct State {
        var polls: [Int64: [Int: Poll]] = [:]
        var last = 0
        var isDraining = false
        var isTicking = false
    }

    /// A poll from its first look at the log on: no push that comes later is missed.
    struct Ticket: Sendable {
        let token: Int64
        let number: Int
    }

    private let state = Mutex(State())

    /// Begins a poll. An older one of the same listener ends: its client has left it, which nobody else notices.
    /// - Parameters:
    ///   - listener: Tells apart those who poll one token, for example the processes of a device.
    ///   - longest: The longest wait.
    /// - Returns: `nil` while the service stops.
    func begin(token: Int64, listener: String, longest: Duration) -> Ticket? {
        let (ticket, sleepers) = state.withLock { state -> (Ticket?, [CheckedContinuation<Void, Never>]) in
            guard !state.isDraining else { return (nil, []) }
            let sleepers = Self.end(&state, token: token) { $0.listener == listener }
            state.last += 1
            state.polls[token, default: [:]][state.last] = Poll(listener: listener, deadline: .now + longest)
            return (Ticket(token: token, number: state.last), sleepers)
        }
        for sleeper in sleepers { sleeper.resume() }
        return ticket
    }

    func end(_ ticket: Ticket) { state.withLock { Self.remove(ticket, from: &$0) } }

    /// Waits for a push, the end of the time, the service's stop or the task's cancellation.
    /// - Returns: Whether it is worth looking at the log again; a false one ends the poll.
    func wait(_ ticket: Ticket) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (sleeps, startsTicker) = state.withLock { state -> (Bool, Bool) in
                    guard let poll = state.polls[ticket.token]?[ticket.number], !poll.isWoken, !poll.isOver,
                        !state.isDraining, poll.deadline > .now
                    else {
                        return (false, false)
                    }
                    state.polls[ticket.token]?[ticket.number]?.continuation = continuation
                    let starts = !state.isTicking
                    state.isTicking = true
                    return (true, starts)
                }
                if !sleeps { continuation.resume() }
                if startsTicker { tick() }
            }
        } onCancel: {
            state.withLock { Self.wake(ticket.token, ticket.number, in: &$0) }?.resume()
        }
        return state.withLock { state in
            guard let poll = state.polls[ticket.token]?[ticket.number], !poll.isOver, !state.isDraining,
                !Task.isCancelled, poll.deadline > .now
            else { return false }
            state.polls[ticket.token]?[ticket.number]?.isWoken = false
            return true
        }
    }

    /// Tells the polls of these push tokens to look again.
    func wake(_ tokens: [Int64]) {
        let sleepers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            var sleepers: [CheckedContinuation<Void, Never>] = []
            for token in tokens {
                for number in state.polls[token].map({ Array($0.keys) }) ?? [] {
                    if let sleeper = Self.wake(token, number, in: &state) { sleepers.append(sleeper) }
                }
            }
            return sleepers
        }
        for sleeper in sleepers { sleeper.resume() }
    }

    /// Ends all polls, now and from now on.
    func drain() {
        state.withLock { $0.isDraining = true }
        release { _ in true }
    }

    /// The number of polls that sleep.
    var parked: Int {
        state.withLock { $0.polls.values.reduce(0) { $0 + $1.values.count { $0.continuation != nil } } }
    }

    private func release(where isDue: (Poll) -> Bool) {
        let sleepers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            var sleepers: [CheckedContinuation<Void, Never>] = []
            for (token, polls) in state.polls {
                for (number, poll) in polls where isDue(poll) {
                    if let sleeper = Self.wake(token, number, in: &state) { sleepers.append(sleeper) }
                }
            }
            return sleepers
        }
        for sleeper in sleepers { sleeper.resume() }
    }

    /// Looks once a second for polls whose time is over, as long as any poll is there.
    private func tick() {
        Task.detached { [weak self] in
            repeat {
                try? await Task.sleep(for: .seconds(1))
            } while self?.endOverdue() == true
        }
    }

    private func endOverdue() -> Bool {
        let now = ContinuousClock.now
        release { $0.deadline <= now }
        return state.withLock { state in
            state.isTicking = !state.polls.isEmpty
            return state.isTicking
        }
    }

    private static func wake(_ token: Int64, _ number: Int, in state: inout State)
        -> CheckedContinuation<Void, Never>?
    {
        let sleeper = state.polls[token]?[number]?.continuation
        state.polls[token]?[number]?.continuation = nil
        state.polls[token]?[number]?.isWoken = true
        return sleeper
    }

    private static func end(_ state: inout State, token: Int64, where isMeant: (Poll) -> Bool)
        -> [CheckedContinuation<Void, Never>]
    {
        var sleepers: [CheckedContinuation<Void, Never>] = []
        for (number, poll) in state.polls[token] ?? [:] where isMeant(poll) {
            state.polls[token]?[number]?.isOver = true
            if let sleeper = wake(token, number, in: &state) { sleepers.append(sleeper) }
        }
        return sleepers
    }

    private static func remove(_ ticket: Ticket, from state: inout State) {
        state.polls[ticket.token]?[ticket.number] = nil
        if state.polls[ticket.token]?.isEmpty == true { state.polls[ticket.token] = nil }
    }
}
