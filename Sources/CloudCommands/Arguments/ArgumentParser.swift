/// Reads a command line against a tree of commands.
package enum ArgumentParser {
    package enum Outcome: Sendable {
        case help(String)
        case run(CommandDefinition, ArgumentValues, usage: String)
    }

    /// Finds the command and its values.
    ///
    /// `--help` and `-h` anywhere before `--` ask for the help of the command named so far. Options may stand before, between
    /// and after arguments, as `--name value` or `--name=value`; after `--` everything is an argument.
    package static func parse(_ words: [String], as root: CommandDefinition) throws(UsageError) -> Outcome {
        var command = root
        var path = [root.name]
        var rest = words[...]
        while !command.subcommands.isEmpty {
            guard let word = rest.first else {
                throw UsageError("a command is missing", usage: HelpText.commands(of: command, path: path))
            }
            rest.removeFirst()
            if isHelp(word) { return .help(HelpText.whole(of: command, path: path)) }
            guard let next = command.subcommands.first(where: { $0.name == word }) else {
                let what = word.hasPrefix("-") ? "option" : "command"
                throw UsageError("unknown \(what) \(shown(word))", usage: HelpText.commands(of: command, path: path))
            }
            command = next
            path.append(next.name)
        }
        let usage = HelpText.usage(of: command, path: path)
        if rest.prefix(while: { $0 != "--" }).contains(where: isHelp) {
            return .help(HelpText.whole(of: command, path: path))
        }
        do {
            return .run(command, try values(of: rest, for: command), usage: usage)
        } catch {
            throw UsageError(error.message, usage: usage)
        }
    }

    /// A word in quotes, unless it looks like the address of a database: that may have a password.
    private static func shown(_ word: String) -> String {
        word.contains("://") || word.contains("=") ? "(not shown: it looks like an address)" : "'\(word)'"
    }

    private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

    private static func values(
        of words: ArraySlice<String>, for command: CommandDefinition
    ) throws(UsageError) -> ArgumentValues {
        var values = ArgumentValues()
        var waiting = command.arguments[...]
        var rest = words
        var onlyArguments = false
        while let word = rest.popFirst() {
            if !onlyArguments, word == "--" {
                onlyArguments = true
            } else if !onlyArguments, word.hasPrefix("-"), word != "-" {
                try take(option: word, from: &rest, for: command, into: &values)
            } else if let argument = waiting.popFirst() {
                values.arguments[argument.name] = word
            } else {
                throw UsageError("unexpected argument \(shown(word))")
            }
        }
        if let missing = waiting.first { throw UsageError("the argument \(missing.name) is missing") }
        if let missing = command.options.first(where: { $0.isRequired && values.options[$0.name] == nil }) {
            throw UsageError("the option --\(missing.name) is missing")
        }
        return values
    }

    private static func take(
        option word: String, from rest: inout ArraySlice<String>, for command: CommandDefinition,
        into values: inout ArgumentValues
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard word.hasPrefix("--"), let option = command.options.first(where: { "--" + $0.name == parts[0] }) else {
            throw UsageError("unknown option '\(parts[0])'")
        }
        guard option.isRepeatable || values.options[option.name] == nil && !values.flags.contains(option.name) else {
            throw UsageError("the option --\(option.name) is given twice")
        }
        guard let valueName = option.valueName else {
            guard parts.count == 1 else { throw UsageError("the flag --\(option.name) takes no value") }
            values.flags.insert(option.name)
            return
        }
        let value: String
        if parts.count == 2 {
            value = String(parts[1])
        } else if let next = rest.first, !next.hasPrefix("--") {
            value = next
            rest.removeFirst()
        } else {
            throw UsageError("the option --\(option.name) needs a value: \(valueName)")
        }
        guard !value.isEmpty else { throw UsageError("the value of --\(option.name) is empty") }
        guard option.choices.isEmpty || option.choices.contains(value) else {
            throw UsageError(
                "'\(value)' is not a value for --\(option.name): one of \(option.choices.joined(separator: ", "))")
        }
        values.options[option.name, default: []].append(value)
    }
}
