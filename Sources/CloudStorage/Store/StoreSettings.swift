import CloudCore

/// What every transaction of a store gets.
struct StoreSettings: Sendable {
    let limits: CloudLimits
    let policy: StorePolicy
    let secret: [UInt8]
    let clock: @Sendable () -> Int64
    /// How long a job waits for a database that cannot be reached.
    let patience: Duration
}
