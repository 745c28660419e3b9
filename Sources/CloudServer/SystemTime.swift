import Glibc

/// The machine's clock.
package enum SystemTime {
    /// Milliseconds since 1970.
    @Sendable package static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Random identifiers of requests, errors and things that the client left unnamed.
enum UniqueID {
    /// A version 4 UUID in lower case.
    static func make() -> String {
        let high = UInt64.random(in: .min ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = UInt64.random(in: .min ... .max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for nibble in 0..<32 {
                if [8, 12, 16, 20].contains(nibble) {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                let half = nibble < 16 ? high : low
                text[position] = digits.utf8Start[Int(half >> UInt64(60 - nibble % 16 * 4) & 15)]
                position += 1
            }
            return 36
        }
    }
}
