import Foundation
import Glibc
import Synchronization

/// A process of the stage: what it says is kept, what it waits for can be said to it.
///
/// Unchecked: `Process` and its pipes are made by ``start(awaiting:)`` and used behind the lock.
final class StageProcess: @unchecked Sendable {
    private struct State {
        var process: Process?
        var input: FileHandle?
        var log = StageLog()
        var waiter: (prefix: String, resume: CheckedContinuation<String, any Error>)?
        var isOver = false
        /// How it ended.
        var status: Int32?
        /// Whether all that it said has been read.
        var saidAll = false
        var ends: [CheckedContinuation<Void, Never>] = []
    }

    private let executable: URL
    private let arguments: [String]
    private let environment: [String: String]
    private let state = Mutex(State())

    /// - Parameter environment: What is added to this process's own.
    init(_ executable: URL, arguments: [String] = [], environment: [String: String]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts it and waits for a line that begins so.
    /// - Returns: The rest of the line.
    /// - Throws: ``Failure`` with its last words when it ends without it.
    func start(awaiting prefix: String) async throws -> String {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                self?.ended { $0.saidAll = true }
            } else {
                self?.heard(data)
            }
        }
        process.terminationHandler = { [weak self] process in
            guard let self else { return }
            let status = process.terminationStatus
            ended { $0.status = status }
            // A process that it left behind may keep the pipe open.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.ended { $0.saidAll = true } }
        }
        return try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.process = process
                state.input = input.fileHandleForWriting
                state.waiter = (prefix, continuation)
            }
            do {
                try Self.withoutBlockedSignals { try process.run() }
            } catch {
                let waiter = state.withLock { state in
                    defer { state = State(isOver: true) }
                    return state.waiter?.resume
                }
                waiter?.resume(throwing: Failure("'\(executable.path)' did not start: \(error.localizedDescription)"))
            }
        }
    }

    /// Starts it and waits for its end.
    /// - Returns: What it said.
    /// - Throws: ``Failure`` with its last words when it ends with another status than 0.
    func run() async throws -> String {
        do {
            // No line has a line's end in it: what is waited for is the end.
            _ = try await start(awaiting: "\n")
        } catch let failure as Failure {
            guard status == 0 else { throw failure }
        }
        return log
    }

    /// How it ended; `nil` while it runs.
    private var status: Int32? { state.withLock(\.status) }

    private func heard(_ data: Data) {
        let found = state.withLock { state -> (CheckedContinuation<String, any Error>, String)? in
            for line in state.log.add(data) {
                guard let waiter = state.waiter, line.hasPrefix(waiter.prefix) else { continue }
                state.waiter = nil
                return (waiter.resume, String(line.dropFirst(waiter.prefix.count)))
            }
            return nil
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

    /// Notes a part of the end. It is over when it has ended and its last words are here.
    private func ended(_ note: (inout State) -> Void) {
        let end = state.withLock {
            state -> (CheckedContinuation<String, any Error>?, [CheckedContinuation<Void, Never>], Int32, String)? in
            note(&state)
            guard !state.isOver, state.saidAll, let status = state.status else { return nil }
            defer {
                state.isOver = true
                state.process = nil
                state.waiter = nil
                state.ends = []
            }
            return (state.waiter?.resume, state.ends, status, state.log.last)
        }
        guard let (waiter, ends, status, last) = end else { return }
        waiter?.resume(throwing: Failure("'\(executable.lastPathComponent)' ended (\(status)): \(last)"))
        for end in ends { end.resume() }
    }

    /// What it said last, standard output and errors together.
    var log: String { state.withLock(\.log.text) }
    var isRunning: Bool { state.withLock { $0.process != nil && !$0.isOver } }

    /// Says a line to it.
    func say(_ line: String) {
        // One that ends meanwhile hears nothing; the stage sees that it has ended.
        try? state.withLock(\.input)?.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Asks it to end, and ends it after five seconds.
    func stop() async {
        let process = state.withLock { $0.isOver ? nil : $0.process }
        guard let process else { return }
        let pid = process.processIdentifier
        kill(pid, SIGTERM)
        let killer = Task {
            try await Task.sleep(for: .seconds(5))
            kill(pid, SIGKILL)
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

/// The last lines that a process said.
struct StageLog {
    static let limit = 256 * 1024

    private var whole: [UInt8] = []
    private var line: [UInt8] = []

    /// - Returns: The lines that are complete with it.
    mutating func add(_ data: Data) -> [String] {
        whole.append(contentsOf: data)
        if whole.count > Self.limit { whole.removeFirst(whole.count - Self.limit / 2) }
        var lines: [String] = []
        for byte in data {
            if byte == UInt8(ascii: "\n") {
                lines.append(String(decoding: line, as: UTF8.self))
                line = []
            } else if line.count < 4096 {
                line.append(byte)
            }
        }
        return lines
    }

    var text: String { String(decoding: whole, as: UTF8.self) }
    var last: String { text.split(separator: "\n").suffix(3).joined(separator: "; ") }
}
