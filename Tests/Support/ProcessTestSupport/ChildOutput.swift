import Foundation
import Glibc
import Synchronization

/// What a process writes to a pipe. A thread of its own reads it, so the process never waits for a test.
package final class ChildOutput: Sendable {
    private enum Want { case line, rest }

    private struct Waiter {
        var want: Want
        var continuation: CheckedContinuation<[UInt8], Never>
    }

    private struct State {
        var bytes: [UInt8] = []
        /// Whether nothing more is waited for.
        var isOver = false
        /// In the order they came.
        var waiters: [Waiter] = []

        mutating func take(_ want: Want) -> [UInt8]? {
            if want == .line, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return Array(bytes[..<end])
            }
            guard isOver else { return nil }
            defer { bytes = [] }
            return bytes
        }
    }

    private let state = Mutex(State())

    /// - Parameter descriptor: The pipe's end, which is closed when all is read; `nil`: nothing ever comes.
    init(reading descriptor: Int32?) {
        guard let descriptor else {
            state.withLock { $0.isOver = true }
            return
        }
        Thread.detachNewThread { [self] in follow(descriptor) }
    }

    /// The next line, without its end; what is there when the stream ends or the wait is cancelled.
    package func line() async -> String { await next(.line) }

    /// All that comes until the stream ends; what is there when the wait is cancelled.
    package func rest() async -> String { await next(.rest) }

    private func next(_ want: Want) async -> String {
        let bytes = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { $0.waiters.append(Waiter(want: want, continuation: continuation)) }
            }
        } onCancel: {
            change { $0.isOver = true }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Changes the state, then serves every waiter that it satisfies.
    private func change(_ body: (inout State) -> Void) {
        let served = state.withLock { state in
            body(&state)
            var served: [(CheckedContinuation<[UInt8], Never>, [UInt8])] = []
            while let waiter = state.waiters.first, let bytes = state.take(waiter.want) {
                state.waiters.removeFirst()
                served.append((waiter.continuation, bytes))
            }
            return served
        }
        for (continuation, bytes) in served { continuation.resume(returning: bytes) }
    }

    private func follow(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            change { $0.bytes += buffer[..<count] }
        }
        close(descriptor)
        change { $0.isOver = true }
    }
}
