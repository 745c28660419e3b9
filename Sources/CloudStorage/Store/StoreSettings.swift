import CloudCore

/// What every transaction of a store gets.
struct StoreSettings: Sendable {
    let limits: CloudLimits
    let policy: StorePolicy
    let secret: [UInt8]
    let clock: @Sendable () -> Int64
}
