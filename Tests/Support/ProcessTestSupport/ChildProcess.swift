import Foundation
package import Glibc

/// A process that a test starts. Dropped before its end it is killed; in every case it is reaped.
///
/// Foundation's `Process` is not used: on Linux it crashes now and then when several threads start processes at once.
/// The process reads no input, takes none of our signal settings and no descriptor but its three streams.
package final class ChildProcess: Sendable {
    /// Where a stream of the process goes.
    package enum Destination: Sendable {
        case inherited
        case discarded
        /// To the end of the file at this path, which is made when missing. A relative path starts at our own folder.
        case file(String)
        /// To ``ChildProcess/output`` or ``ChildProcess/errors``.
        case pipe
    }

    /// How a process ended.
    package enum Status: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// Another part of the program reaped it.
        case unknown

        package var isSuccess: Bool { self == .exited(0) }
    }

    package let id: pid_t
    /// What comes by standard output; empty unless that is a pipe.
    package let output: ChildOutput
    /// What comes by standard error; empty unless that is a pipe.
    package let errors: ChildOutput
    private let life: ChildLife

    /// Starts a process.
    /// - Parameters:
    ///   - program: A path, or a name that is looked up in our own `PATH`. A relative path starts at `folder`.
    ///   - arguments: Without the program's name.
    ///   - folder: Its working directory; ours when `nil`.
    ///   - standardError: `nil`: where standard output goes.
    ///   - ownGroup: Whether it leads a new process group, to which signals then go as a whole.
    /// - Throws: `StartError`, when no process was started.
    package init(
        _ program: String, _ arguments: [String] = [], environment: ChildEnvironment = .inherited,
        folder: String? = nil, standardOutput: Destination = .inherited, standardError: Destination? = .inherited,
        ownGroup: Bool = false
    ) throws(StartError) {
        var spawn = Spawn(program: program)
        defer { spawn.end() }
        try spawn.open("/dev/null", as: STDIN_FILENO, O_RDONLY)
        let output = try spawn.direct(STDOUT_FILENO, to: standardOutput)
        let errors: Int32?
        if let standardError {
            errors = try spawn.direct(STDERR_FILENO, to: standardError)
        } else {
            errors = nil
            try spawn.copy(STDOUT_FILENO, to: STDERR_FILENO)
        }
        id = try spawn.start(arguments, environment, folder: folder, ownGroup: ownGroup)
        self.output = ChildOutput(reading: output)
        self.errors = ChildOutput(reading: errors)
        life = ChildLife(of: id, isGroup: ownGroup)
    }

    deinit { life.signal(SIGKILL) }

    package var isRunning: Bool { life.isRunning }

    /// Sends a signal, if the process has not ended.
    package func signal(_ number: Int32) { life.signal(number) }

    package func terminate() { signal(SIGTERM) }

    package func kill() { signal(SIGKILL) }

    /// Waits for the end, as often as wanted. A cancelled wait kills the process, so it does not outlast a test's time limit.
    package func waitUntilExit() async -> Status {
        await withTaskCancellationHandler {
            await life.end()
        } onCancel: {
            kill()
        }
    }

    package struct StartError: Error, CustomStringConvertible {
        package var program: String
        /// The function that failed.
        package var call: String
        /// Its `errno`.
        package var number: Int32

        package var description: String { "\(program) does not start: \(call): \(String(cString: strerror(number)))" }
    }
}

/// The variables of a process.
package struct ChildEnvironment: Sendable {
    package var values: [String: String]

    package init(_ values: [String: String]) { self.values = values }

    /// Our own.
    package static var inherited: ChildEnvironment { ChildEnvironment(ProcessInfo.processInfo.environment) }

    package func adding(_ others: [String: String]) -> ChildEnvironment {
        ChildEnvironment(values.merging(others) { $1 })
    }

    package func removing(_ names: String...) -> ChildEnvironment {
        ChildEnvironment(values.filter { !names.contains($0.key) })
    }
}
