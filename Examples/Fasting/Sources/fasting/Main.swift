import FastingCore
import Foundation
import Glibc

/// Fasts from a terminal: one's own, and those of friends who share theirs.
@main struct Main {
    static let usage = """
        usage: fasting begin [16|18|20]   begins a fast
               fasting end                ends it
               fasting list               lists one's own
               fasting share              prints the address that lets others see them
               fasting unshare            ends that
               fasting accept URL         takes part in what an address stands for
               fasting friends            lists those of others

        """

    static func main() async {
        do {
            guard try await perform(Array(CommandLine.arguments.dropFirst())) else {
                FileHandle.standardError.write(Data(usage.utf8))
                exit(64)
            }
        } catch {
            FileHandle.standardError.write(Data("fasting: \(error.localizedDescription)\n".utf8))
            exit(1)
        }
    }

    /// - Returns: False when the words are no call.
    static func perform(_ words: [String]) async throws -> Bool {
        let store = FastingStore()
        switch (words.first, words.count) {
        case ("begin", 1...2):
            guard let goal = Fast.Goal(rawValue: words.count == 2 ? Int(words[1]) ?? 0 : 16) else { return false }
            try await store.prepare()
            print(line(try await store.begin(goal)))
        case ("end", 1):
            try await store.prepare()
            print(try await store.end().map(line) ?? "no fast is under way")
        case ("list", 1):
            try await store.prepare()
            for fast in try await store.fasts() { print(line(fast)) }
        case ("share", 1):
            try await store.prepare()
            print(try await store.share().url?.absoluteString ?? "the share has no address")
        case ("unshare", 1): try await store.unshare()
        case ("accept", 2):
            guard let url = URL(string: words[1]) else { return false }
            try await store.accept(url)
        case ("friends", 1):
            for friend in try await store.friends() {
                print("\(friend.name):")
                for fast in friend.fasts { print("  " + line(fast)) }
            }
        default: return false
        }
        return true
    }

    static func line(_ fast: Fast) -> String {
        let hours = String(format: "%.1f", fast.hours())
        let state = fast.end == nil ? "under way" : fast.isReached() ? "reached" : "ended early"
        return "\(hours) of \(fast.goal.rawValue) hours, \(state)"
    }
}
