import Foundation
import Glibc
import Synchronization

/// A process of the stage: what it says is kept, what it waits for can be said to it.
///
/// Unchecked: `Process` and its pipes are made when it is launched and used behind the lock.
final class StageProcess: @unchecked Sendable {
    private struct State {
        var process: Process?
        var input: FileHandle?
        var waiter: Waiter?
        var hasSaidAll = false
        /// How it ended, in words, and whether well.
        var end: (words: String, isGood: Bool)?
        var isOver = false
        var ends: [CheckedContinuation<Void, Never>] = []
    }

    /// Who waits for a line that begins so, or, without one, for a good end.
    private struct Waiter {
        let prefix: String?
        let resume: CheckedContinuation<String, any Error>
    }

    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]
    /// What it said, standard output and errors together.
    private let words: StageLog
    private let saysItsEnd: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - environment: What is added to this process's own.
    ///   - log: Where its words go and how it ended, after those of other processes; a log of its own without.
    init(_ executable: URL, arguments: [String] = [], environment: [String: String], log: StageLog? = nil) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        words = log ?? StageLog()
        saysItsEnd = log != nil
    }

    /// Starts it and waits for a line that begins so.
    /// - Returns: The rest of the line.
    /// - Throws: ``Failure`` with its last words when it ends without it.
    func start(awaiting prefix: String) async throws -> String { try await launch(awaiting: prefix) }

    /// Runs it to its end; it has nothing to read.
    /// - Returns: What it said.
    /// - Throws: ``Failure`` with its last words when it ends with another code than 0.
    func run() async throws -> String {
        _ = try await launch(awaiting: nil)
        return words.text
    }

    private func launch(awaiting prefix: String?) async throws -> String {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = prefix == nil ? FileHandle.nullDevice : input
        process.standardOutput = output
        process.standardError = output
        process.terminationHandler = { [weak self] process in self?.ended(process) }
        return try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.process = process
                state.input = input.fileHandleForWriting
                state.waiter = Waiter(prefix: prefix, resume: continuation)
            }
            do {
                try Self.withoutBlockedSignals { try process.run() }
                listen(to: output.fileHandleForReading)
            } catch {
                let waiter = state.withLock { state in
                    defer { state = State(isOver: true) }
                    return state.waiter?.resume
                }
                waiter?.resume(throwing: Failure("'\(executable.path)' did not start: \(error.localizedDescription)"))
            }
        }
    }

    /// Hears what it says, on a thread of its own: a handler of the handle's can be told of a pipe that is closed already, which ends
    /// this process.
    private func listen(to output: FileHandle) {
        Thread.detachNewThread { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = read(output.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                self?.heard(Data(buffer.prefix(max(0, count))))
                guard count > 0 else { return }
            }
        }
    }

    /// - Parameter data: Nothing when it has said all.
    private func heard(_ data: Data) {
        guard !data.isEmpty else {
            state.withLock { $0.hasSaidAll = true }
            return finish(isLate: false)
        }
        let lines = words.add(data)
        let found = state.withLock { state -> (CheckedContinuation<String, any Error>, String)? in
            guard let waiter = state.waiter, let prefix = waiter.prefix,
                let line = lines.first(where: { $0.hasPrefix(prefix) })
            else { return nil }
            state.waiter = nil
            return (waiter.resume, String(line.dropFirst(prefix.count)))
        }
        if let (waiter, rest) = found { waiter.resume(returning: rest) }
    }

    /// A process inherits the signals that its parent's thread blocks, which are all on a thread of a queue.
    private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    private func ended(_ process: Process) {
        let status = process.terminationStatus
        let isSignal = process.terminationReason == .uncaughtSignal
        state.withLock {
            $0.end = (isSignal ? "ended by signal \(status)" : "ended with code \(status)", status == 0 && !isSignal)
        }
        finish(isLate: false)
        // Its last words may still be on their way; or another process, which it has started, holds their pipe open.
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.finish(isLate: true) }
    }

    private func finish(isLate: Bool) {
        let over = state.withLock { state -> State? in
            guard state.end != nil, !state.isOver, state.hasSaidAll || isLate else { return nil }
            defer { state = State(end: state.end, isOver: true) }
            return state
        }
        guard let over, let end = over.end else { return }
        if saysItsEnd { words.note(end.words) }
        if let waiter = over.waiter {
            if end.isGood, waiter.prefix == nil {
                waiter.resume.resume(returning: "")
            } else {
                waiter.resume.resume(
                    throwing: Failure("'\(executable.lastPathComponent)' \(end.words): \(words.last)"))
            }
        }
        for end in over.ends { end.resume() }
    }

    var isRunning: Bool { state.withLock { $0.process != nil && $0.end == nil && !$0.isOver } }

    /// Says a line to it.
    func say(_ line: String) {
        // One that ends meanwhile hears nothing; the stage sees that it has ended.
        try? state.withLock(\.input)?.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Asks it to end, and ends it after five seconds.
    func stop() async {
        let process = state.withLock { $0.isOver ? nil : $0.process }
        guard let process else { return }
        if isRunning { kill(process.processIdentifier, SIGTERM) }
        let killer = Task {
            try await Task.sleep(for: .seconds(5))
            if self.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.ends.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        killer.cancel()
    }
}
