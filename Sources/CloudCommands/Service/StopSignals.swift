import Dispatch
import Glibc

/// Waits for the signals that ask a process to stop.
enum StopSignals {
    private static let numbers = [SIGTERM, SIGINT]

    /// Takes the signals over from the system; call it before anything that a signal must not interrupt.
    static func install() -> Waiter {
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.activate()
            return source
        }
        return Waiter(stream: stream, sources: sources)
    }

    struct Waiter {
        let stream: AsyncStream<Int32>
        /// Kept for as long as signals are wanted.
        let sources: [any DispatchSourceSignal]

        /// Returns with the first signal.
        func wait() async {
            for await _ in stream { return }
        }
    }
}
