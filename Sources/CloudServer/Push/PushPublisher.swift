import CloudStorage

/// Turns what commits left in the outbox into pushes and wakes their polls.
enum PushPublisher {
    private static let batch = 200

    /// Runs until the store closes or the task is cancelled.
    static func run(store: CloudStore, courier: Courier, log: @Sendable (String) -> Void) async {
        for await _ in store.pushes {
            // An outbox that cannot be read now is tried again: its rows are committed and must go out.
            while !Task.isCancelled {
                do {
                    courier.wake(try await store.write { try $0.expandOutbox(limit: batch) })
                    break
                } catch {
                    log(Refusal(error).detail ?? String(describing: error))
                    do { try await Task.sleep(for: .seconds(1)) } catch { return }
                }
            }
        }
    }
}
