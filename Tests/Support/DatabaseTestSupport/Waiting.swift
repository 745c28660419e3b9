/// A condition did not become true in time.
package struct WaitedInVain: Error {}

/// Waits until something is so that nobody tells of: what another process, or a thread on its own, has come to.
///
/// It looks again and again and leaves the processor to those who must act in between; how long that takes decides nothing.
/// - Throws: ``WaitedInVain`` after a minute, so that the test fails rather than hangs.
package func until(_ isTrue: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isTrue() {
        guard ContinuousClock.now < deadline else { throw WaitedInVain() }
        try await Task.sleep(for: .milliseconds(2))
    }
}
