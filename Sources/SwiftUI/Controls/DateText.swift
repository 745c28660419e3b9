/// A date in words. The browser tells it in its own language and zone; these are the words of the first moment, and of tests.
struct DateText {
    private let date: Date
    private let style: Text.DateStyle

    init(_ date: Date, _ style: Text.DateStyle) {
        self.date = date
        self.style = style
    }

    /// For the attribute that programs read.
    var machineText: String { date.ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true)) }

    func text(at now: Date) -> String {
        switch style {
        case .date: return date.formatted(date: .long, time: .omitted)
        case .time: return date.formatted(date: .omitted, time: .shortened)
        case .timer: return timer(abs(now.timeIntervalSince(date)))
        case .offset:
            let distance = date.timeIntervalSince(now)
            return (distance < 0 ? "−" : "+") + words(abs(distance), pieces: 1)
        default: return words(abs(now.timeIntervalSince(date)), pieces: 2)
        }
    }

    private static let units: [(seconds: Int, name: String)] = [
        (31_536_000, "year"), (2_592_000, "month"), (86_400, "day"), (3600, "hour"), (60, "min"), (1, "sec"),
    ]

    /// As "2 hours, 5 min": the two largest units, the second only if there is any of it.
    private func words(_ interval: TimeInterval, pieces: Int) -> String {
        var rest = Int(min(max(interval, 0), 1e11))
        guard let first = Self.units.firstIndex(where: { rest >= $0.seconds }) else { return "0 sec" }
        var words: [String] = []
        for unit in Self.units[first..<min(first + pieces, Self.units.count)] {
            let count = rest / unit.seconds
            rest -= count * unit.seconds
            if count > 0 { words.append("\(count) \(unit.name)\(count > 1 && unit.seconds > 60 ? "s" : "")") }
        }
        return words.joined(separator: ", ")
    }

    /// As "1:05:09".
    private func timer(_ interval: TimeInterval) -> String {
        let seconds = Int(min(max(interval, 0), 1e11))
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let tail = String(format: "%02d", seconds % 60)
        return hours > 0 ? "\(hours):\(String(format: "%02d", minutes)):\(tail)" : "\(minutes):\(tail)"
    }
}
