import CloudCore
import Testing

@testable import CloudServer

@Suite struct RateLimiterTests {
    private func limiter() -> RateLimiter {
        var limits = CloudLimits()
        (limits.requestsPerSecond, limits.requestBurst) = (10, 1)
        return RateLimiter(limits: limits)
    }

    @Test func `time counts once, in whatever order requests are counted`() throws {
        let limiter = limiter()
        try limiter.count(.account(1), now: 1000)
        #expect(throws: CloudError.self) { try limiter.count(.account(1), now: 900) }
        #expect(throws: CloudError.self) { try limiter.count(.account(1), now: 1000) }
        try limiter.count(.account(1), now: 1100)
    }

    @Test func `a clock that is set back locks nobody out`() throws {
        let limiter = limiter()
        try limiter.count(.account(1), now: 10_000_000)
        #expect(throws: CloudError.self) { try limiter.count(.account(1), now: 1000) }
        try limiter.count(.account(1), now: 1100)
    }
}
