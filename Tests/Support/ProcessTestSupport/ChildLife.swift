import Foundation
import Glibc
import Synchronization

/// The time between a process' start and its end, followed by one thread that reaps it.
final class ChildLife: Sendable {
    private enum State {
        case running([CheckedContinuation<ChildProcess.Status, Never>])
        case ended(ChildProcess.Status)
    }

    private let id: pid_t
    private let isGroup: Bool
    private let state = Mutex(State.running([]))

    init(of id: pid_t, isGroup: Bool) {
        self.id = id
        self.isGroup = isGroup
        Thread.detachNewThread { [self] in follow() }
    }

    var isRunning: Bool {
        state.withLock { if case .running = $0 { true } else { false } }
    }

    /// The lock keeps the process from being reaped meanwhile, so the signal never meets another one under its number.
    func signal(_ number: Int32) {
        state.withLock { state in
            guard case .running = state else { return }
            kill(isGroup ? -id : id, number)
        }
    }

    func end() async -> ChildProcess.Status {
        await withCheckedContinuation { waiter in
            let status: ChildProcess.Status? = state.withLock { state in
                switch state {
                case .ended(let status): return status
                case .running(let waiters):
                    state = .running(waiters + [waiter])
                    return nil
                }
            }
            if let status { waiter.resume(returning: status) }
        }
    }

    private func follow() {
        var about = siginfo_t()
        while waitid(P_PID, id_t(id), &about, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (status, waiters) = state.withLock { state in
            guard case .running(let waiters) = state else { preconditionFailure("only this thread ends a life") }
            let status = Self.reap(id)
            state = .ended(status)
            return (status, waiters)
        }
        for waiter in waiters { waiter.resume(returning: status) }
    }

    private static func reap(_ id: pid_t) -> ChildProcess.Status {
        var word: Int32 = 0
        while waitpid(id, &word, 0) != id {
            guard errno == EINTR else { return .unknown }
        }
        // WIFEXITED, WEXITSTATUS and WTERMSIG, which are macros
        let signal = word & 0x7f
        return signal == 0 ? .exited((word >> 8) & 0xff) : .signalled(signal)
    }
}
