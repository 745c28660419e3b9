import CloudStorage

/// Follows what commits left behind, of this process and of others: turns the outbox into pushes, wakes the polls of
/// push tokens that got something, and lets ended callers be forgotten.
struct NewsFollower: Sendable {
    let store: CloudStore
    let courier: Courier
    let authenticator: Authenticator
    let log: @Sendable (String) -> Void

    private static let batch = 200

    /// Runs until the store closes or the task is cancelled.
    func run() async {
        var position = store.firstPosition
        for await _ in store.news {
            // What cannot be read now is tried again: it is committed and must be told.
            while !Task.isCancelled {
                do {
                    position = try await follow(from: position)
                    break
                } catch {
                    log(Refusal(error).detail ?? String(describing: error))
                    do { try await Task.sleep(for: .seconds(1)) } catch { return }
                }
            }
        }
    }

    /// Goes on with the removal of accounts that a process did not bring to its end.
    func finishErasures() async {
        do {
            try await store.finishErasures()
        } catch {
            log(Refusal(error).detail ?? String(describing: error))
        }
    }

    /// - Returns: How far it came. What is left, a later element of the stream tells.
    private func follow(from position: NewsPosition) async throws -> NewsPosition {
        var news = try await store.read { try $0.news(since: position) }
        if news.hasOutbox {
            news = try await store.write { transaction in
                _ = try transaction.expandOutbox(limit: Self.batch)
                return try transaction.news(since: position)
            }
        }
        if news.position.callers != position.callers { authenticator.forget() }
        courier.wake(news.tokens)
        return news.position
    }
}
