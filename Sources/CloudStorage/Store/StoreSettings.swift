import CloudCore

/// What every transaction of a store gets.
struct StoreSettings: Sendable {
    let limits: CloudLimits
    let policy: StorePolicy
    let secret: [UInt8]
    /// The key of ``AssetToken``s, made of the secret once.
    let assetKey: [UInt8]
    let clock: @Sendable () -> Int64
    /// How long a job waits for a database that cannot be reached.
    let patience: Duration

    init(
        limits: CloudLimits, policy: StorePolicy, secret: [UInt8], clock: @escaping @Sendable () -> Int64,
        patience: Duration
    ) {
        self.limits = limits
        self.policy = policy
        self.secret = secret
        assetKey = AssetToken.key(from: secret)
        self.clock = clock
        self.patience = patience
    }
}
