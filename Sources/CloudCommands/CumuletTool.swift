import CloudClient
import CloudCore
import HTTPCore

/// The command `cumulet`.
package enum CumuletTool {
    package static let definition = CommandDefinition(
        "cumulet", abstract: "CloudKit without Apple's cloud: the service and what goes with it.",
        discussion: "Exit codes: 0 done, 1 refused or failed, 64 wrong usage.",
        subcommands: [
            ServiceCommands.dev, ServiceCommands.serve, LimitCommands.limits, AccountCommands.account,
            AdministrationCommands.container, AdministrationCommands.token, KeyCommands.key,
            AdministrationCommands.store, DeviceCommands.login,
            DeviceCommands.logout, DeviceCommands.whoami, StageCommand.stage, OpenCommand.open,
        ])

    /// Carries out a command line (without the program's name) and gives the exit code.
    package static func run(_ words: [String]) async -> Int32 {
        var usage: String?
        do {
            switch try ArgumentParser.parse(words, as: definition) {
            case .help(let text):
                Terminal.write(text, to: 1)
            case .run(let command, let values, let line):
                usage = line
                try await command.action?(values)
            }
            return ExitCode.done
        } catch let error as UsageError {
            Terminal.note("cumulet: \(error.message)")
            if let usage = error.usage ?? usage { Terminal.note(usage) }
            return ExitCode.wrongUsage
        } catch {
            Terminal.note("cumulet: \(reason(of: error))")
            return ExitCode.failed
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as CloudError: error.reason
        case let error as HTTPTransportError: error.description
        default: String(describing: error)
        }
    }
}
