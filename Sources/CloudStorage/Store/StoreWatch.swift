import Glibc
import SQLCore

/// Looks for what other processes commit to a shared database: every second, and at once when the database tells of it.
///
/// The thread that runs has the listener to itself.
final class StoreWatch: Sendable {
    private let database: any SQLDatabase
    private let news: AsyncStream<Void>.Continuation
    /// Two ends of a line: what is written to the second ends the wait at the first.
    private let (ending, ender): (Int32, Int32)

    private static let interval: Int32 = 1000

    init(_ database: any SQLDatabase, news: AsyncStream<Void>.Continuation) {
        var line: [Int32] = [-1, -1]
        let code = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &line)
        precondition(code == 0, "the system gives no more descriptors (error \(errno))")
        (ending, ender) = (line[0], line[1])
        self.database = database
        self.news = news
    }

    deinit {
        close(ending)
        close(ender)
    }

    /// Runs until ``end()``. Without a listener it looks every second and tries to get one.
    func run() {
        var listener: (any SQLListener)?
        repeat {
            do throws(SQLError) {
                if listener == nil { listener = try database.listen() }
                _ = try listener?.take()
            } catch {
                // The database cannot be reached: whoever looks at it says so.
                listener?.close()
                listener = nil
            }
            news.yield()
        } while wait(for: listener)
        listener?.close()
    }

    /// - Returns: False when the watch is to end.
    private func wait(for listener: (any SQLListener)?) -> Bool {
        var descriptors = [
            pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, Self.interval)
        return descriptors[0].revents == 0
    }

    func end() {
        shutdown(ender, Int32(SHUT_WR))
    }
}
