import CloudCore
import Synchronization

/// Counts the requests of each caller: a bucket that fills at the rate and holds the burst.
final class RateLimiter: Sendable {
    private struct Bucket {
        var requests: Double
        /// Milliseconds since 1970.
        var time: Int64
    }

    /// Callers that are remembered; what is not remembered has not asked of late.
    private static let remembered = 20_000
    /// Milliseconds by which requests may be counted out of order.
    private static let disorder: Int64 = 60_000

    private let rate: Int
    private let burst: Int
    private let buckets = Mutex<[RateKey: Bucket]>([:])

    init(limits: CloudLimits) {
        rate = limits.requestsPerSecond
        burst = limits.requestBurst
    }

    /// Counts one request.
    /// - Parameter now: Milliseconds since 1970.
    /// - Throws: `THROTTLED` with the time after which the next request may come.
    func count(_ key: RateKey, now: Int64) throws(CloudError) {
        guard rate > 0 else { return }
        let (rate, burst) = (Double(rate), Double(max(1, burst)))
        let missing = buckets.withLock { buckets -> Double in
            var bucket = buckets[key] ?? Bucket(requests: burst, time: now)
            bucket.requests = min(burst, bucket.requests + Double(max(0, now - bucket.time)) * rate / 1000)
            // Those who ask at once come in any order; only a clock that was set back goes back itself.
            if now > bucket.time || bucket.time - now > Self.disorder { bucket.time = now }
            let missing = 1 - bucket.requests
            if missing <= 0 { bucket.requests -= 1 }
            if buckets[key] == nil, buckets.count >= Self.remembered {
                buckets = buckets.filter {
                    Double(max(0, now - $0.value.time)) * rate / 1000 + $0.value.requests < burst
                }
                if buckets.count >= Self.remembered { buckets.removeAll() }
            }
            buckets[key] = bucket
            return missing
        }
        guard missing > 0 else { return }
        throw CloudError(
            .throttled,
            "more than \(self.rate) requests a second; at most \(self.burst) may come at once", nativeCode: 7,
            retryAfter: (missing / rate * 100).rounded(.up) / 100)
    }

    /// The number of callers that are remembered.
    var callers: Int { buckets.withLock { $0.count } }
}
