/// What was asked for cannot be done: exit code 1 and one line on standard error.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// How a run of the command ended.
package enum ExitCode {
    package static let done: Int32 = 0
    package static let failed: Int32 = 1
    package static let wrongUsage: Int32 = 64
}
