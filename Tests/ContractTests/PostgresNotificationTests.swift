import DatabaseTestSupport
import Foundation
import PostgresDriver
import SQLCore
import Testing

@Suite(.enabled(if: PostgresTestDatabase.address != nil)) struct `A listener of PostgreSQL` {
    private let channel = "channel \"\(UUID().uuidString)\""

    private func open() throws -> (listener: PostgresListener, teller: PostgresConnection) {
        let database = try PostgresDatabase(try #require(PostgresTestDatabase.address))
        let listener = try PostgresListener(database)
        try listener.listen(channel)
        return (listener, try database.open())
    }

    @Test func `it hears what was committed, in order, and nothing that was rolled back`() throws {
        let (listener, teller) = try open()
        defer {
            listener.close()
            teller.close()
        }
        try teller.notify(channel, "one")
        for end in ["ROLLBACK", "COMMIT"] {
            try teller.execute("BEGIN")
            try teller.notify(channel, "in a transaction, \(end)")
            try teller.execute(end)
        }
        try teller.notify(channel, "é")
        try teller.notify("another", "not heard")
        for payload in ["one", "in a transaction, COMMIT", "é"] {
            let heard = try listener.waitForNotification(timeout: .seconds(60))
            #expect(heard?.channel == channel)
            #expect(heard?.payload == payload)
        }
        #expect(try listener.waitForNotification(timeout: .zero) == nil)
    }

    @Test func `it wakes while it waits, and ends with the time`() throws {
        let (listener, teller) = try open()
        defer {
            listener.close()
            teller.close()
        }
        #expect(try listener.waitForNotification(timeout: .milliseconds(20)) == nil)
        let shared = Unshared(teller)
        let name = channel
        let isTold = DispatchSemaphore(value: 0)
        Thread {
            _ = try? shared.value.notify(name, "now")
            isTold.signal()
        }
        .start()
        #expect(try listener.waitForNotification(timeout: .seconds(60))?.payload == "now")
        // The notification may come before its sender's own answer, and the connection is the thread's until then.
        isTold.wait()
    }

    @Test func `it says that its connection is gone`() throws {
        let (listener, teller) = try open()
        defer {
            listener.close()
            teller.close()
        }
        let end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE query = ?1"
        try teller.execute(end, .text("LISTEN \"channel \"\"\(channel.dropFirst(9).dropLast())\"\"\""))
        let error = #expect(throws: SQLError.self) {
            _ = try listener.waitForNotification(timeout: .seconds(60))
            _ = try listener.waitForNotification(timeout: .seconds(60))
        }
        #expect(error?.kind == .connectionLost)
    }
}
