/// The values of one call, checked against the command's definition.
package struct ArgumentValues: Hashable, Sendable {
    package internal(set) var arguments: [String: String] = [:]
    package internal(set) var options: [String: [String]] = [:]
    package internal(set) var flags: Set<String> = []

    package init() {}

    /// The value of a required argument.
    package func argument(_ name: String) -> String {
        guard let value = arguments[name] else { preconditionFailure("the command has no argument '\(name)'") }
        return value
    }

    /// The value of an option, or `nil` when it was not given.
    package func option(_ name: String) -> String? { options[name]?.first }

    /// The values of an option that may be repeated, in order.
    package func list(_ name: String) -> [String] { options[name] ?? [] }

    /// The value of an option as a number of `range`.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = option(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "'\(text)' is not a value for --\(name): a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func flag(_ name: String) -> Bool { flags.contains(name) }
}

/// The call does not fit the command: exit code 64.
package struct UsageError: Error, Hashable, Sendable {
    package let message: String
    /// The usage line of the command that was meant, once it is known.
    package var usage: String?

    package init(_ message: String, usage: String? = nil) {
        self.message = message
        self.usage = usage
    }
}
