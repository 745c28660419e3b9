import Foundation
import Synchronization

/// The last lines that the processes of a device said, one after the other, and what the stage has to say between them.
final class StageLog: Sendable {
    static let limit = 256 * 1024

    fileprivate struct State {
        var whole: [UInt8] = []
        var line: [UInt8] = []
    }

    private let state = Mutex(State())

    /// - Returns: The lines that are complete with it.
    func add(_ data: Data) -> [String] {
        state.withLock { state in
            state.keep(data)
            var lines: [String] = []
            for byte in data {
                if byte == UInt8(ascii: "\n") {
                    lines.append(String(decoding: state.line, as: UTF8.self))
                    state.line = []
                } else if state.line.count < 4096 {
                    state.line.append(byte)
                }
            }
            return lines
        }
    }

    /// Adds a line of the stage's own.
    func note(_ words: String) {
        state.withLock { state in
            // What was said last may have no end.
            let begin = state.whole.isEmpty || state.whole.last == UInt8(ascii: "\n") ? "" : "\n"
            state.line = []
            state.keep(Data("\(begin)--- \(words) ---\n".utf8))
        }
    }

    var text: String { state.withLock { String(decoding: $0.whole, as: UTF8.self) } }

    /// The last words, for an error.
    var last: String { text.split(separator: "\n").suffix(3).joined(separator: "; ") }
}

fileprivate extension StageLog.State {
    mutating func keep(_ data: Data) {
        whole.append(contentsOf: data)
        guard whole.count > StageLog.limit else { return }
        // From the beginning of a line on.
        let rest = whole.suffix(StageLog.limit / 2)
        let begin = rest.firstIndex(of: UInt8(ascii: "\n")).map { rest.index(after: $0) } ?? rest.startIndex
        whole = Array(rest[begin...])
    }
}
