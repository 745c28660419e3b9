import CloudCrypto
import Glibc

/// How an app is shown.
package struct ViewServerConfiguration: Sendable {
    /// 0 takes a free port. The address is always 127.0.0.1.
    package var port: UInt16 = 0
    /// What the address must have for its first visit: 128 random bits, in hexadecimal digits.
    package var token = Hexadecimal.text(Crypto.random(16))
    /// The origin of a page that may show windows in frames, as `http://127.0.0.1:9000`.
    package var stageOrigin: String?
    /// The page's title where a window has none.
    package var title = "App"
    package var windowLimit = 32
    /// How long a window lives on that no browser shows.
    package var secondsAlone = 60
    /// Bytes of the files that are brought along at a time.
    package var uploadLimit = 50 * 1_048_576
    /// Seconds of silence after which a stream says that it lives.
    package var beatSeconds = 15
    /// Seconds between looks at windows that are alone; `nil` leaves looking to whoever has the server.
    package var sweepSeconds: Int? = 5
    /// Seconds of a clock that never goes back.
    package var now: @Sendable () -> Int = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
    /// The files that windows may show.
    package var files = FileShelf.shared

    package init() {}
}

/// Bytes as digits.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
