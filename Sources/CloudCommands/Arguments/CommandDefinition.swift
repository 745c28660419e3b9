/// One command of a tool: what it takes, what it is for, and either what it does or the commands below it.
package struct CommandDefinition: Sendable {
    package typealias Action = @Sendable (ArgumentValues) async throws -> Void

    package let name: String
    package let abstract: String
    package let discussion: String
    package let arguments: [ArgumentDefinition]
    package let options: [OptionDefinition]
    package let subcommands: [CommandDefinition]
    /// `nil` for a command that only groups others.
    package let action: Action?

    /// A command that does something.
    package init(
        _ name: String, abstract: String, discussion: String = "", arguments: [ArgumentDefinition] = [],
        options: [OptionDefinition] = [], action: @escaping Action
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.action = action
        subcommands = []
    }

    /// A command that groups others.
    package init(_ name: String, abstract: String, discussion: String = "", subcommands: [CommandDefinition]) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.subcommands = subcommands
        arguments = []
        options = []
        action = nil
    }
}

/// A value that is given by its place.
package struct ArgumentDefinition: Sendable {
    package let name: String
    package let help: String

    package init(_ name: String, help: String) {
        self.name = name
        self.help = help
    }
}

/// A `--name VALUE` option or a `--name` flag.
package struct OptionDefinition: Sendable {
    package let name: String
    /// The word for the value in the usage; `nil` for a flag.
    package let valueName: String?
    package let help: String
    /// The only values that may be given; empty: any.
    package let choices: [String]
    package let isRequired: Bool
    /// Whether it may be given several times, each with a value.
    package let isRepeatable: Bool

    package static func option(
        _ name: String, _ valueName: String, help: String, choices: [String] = [], isRequired: Bool = false,
        isRepeatable: Bool = false
    ) -> OptionDefinition {
        OptionDefinition(
            name: name, valueName: valueName, help: help, choices: choices, isRequired: isRequired,
            isRepeatable: isRepeatable)
    }

    package static func flag(_ name: String, help: String) -> OptionDefinition {
        OptionDefinition(
            name: name, valueName: nil, help: help, choices: [], isRequired: false, isRepeatable: false)
    }
}
