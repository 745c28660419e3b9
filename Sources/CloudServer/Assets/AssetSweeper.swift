import CloudStorage

/// Collects files of assets from time to time, for as long as the service runs.
struct AssetSweeper: Sendable {
    let store: CloudStore
    let home: AssetHome
    let interval: Duration
    let clock: @Sendable () -> Int64
    let log: @Sendable (String) -> Void

    /// Runs until the task is cancelled. What fails is told and tried again.
    func run() async {
        var collector: AssetCollector?
        while !Task.isCancelled {
            do {
                let known =
                    try collector
                    ?? AssetCollector(
                        store: store, folder: home.folder(), isAlone: !store.isShared, clock: clock)
                collector = known
                try await known.collect()
            } catch {
                log(Refusal(error).detail ?? String(describing: error))
            }
            do { try await Task.sleep(for: interval) } catch { return }
        }
    }
}
