/// Whether what is promised within a time is there in time.
///
/// A machine that runs tests has other things to do too, so what came late is tried again: a promise that is kept now and
/// then is kept, one that is not is late each time.
/// - Parameter attempt: Does it anew and returns how long it took.
/// - Returns: False when each attempt took longer.
package func isPrompt(
    within bound: Duration = .seconds(2), attempts: Int = 4, _ attempt: () async throws -> Duration
) async throws -> Bool {
    for _ in 0..<attempts where try await attempt() < bound { return true }
    return false
}
