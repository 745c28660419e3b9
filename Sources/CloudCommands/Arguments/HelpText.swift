/// What `--help` and a usage error print.
enum HelpText {
    static func usage(of command: CommandDefinition, path: [String]) -> String {
        var words = path
        if !command.subcommands.isEmpty { words.append("COMMAND") }
        words += command.arguments.map(\.name)
        words += command.options.map { option in
            let text = label(of: option)
            return (option.isRequired ? text : "[\(text)]") + (option.isRepeatable ? "..." : "")
        }
        return "usage: " + words.joined(separator: " ")
    }

    /// What to do about a command that is missing or unknown.
    static func commands(of command: CommandDefinition, path: [String]) -> String {
        let names = command.subcommands.map(\.name).joined(separator: ", ")
        return """
            \(usage(of: command, path: path))
            commands: \(names)
            `\(path.joined(separator: " ")) --help` tells what they do
            """
    }

    static func whole(of command: CommandDefinition, path: [String]) -> String {
        var sections = [command.abstract, usage(of: command, path: path)]
        if !command.discussion.isEmpty { sections.insert(command.discussion, at: 1) }
        sections.append(table("commands:", command.subcommands.map { ($0.name, $0.abstract) }))
        sections.append(table("arguments:", command.arguments.map { ($0.name, $0.help) }))
        let options = command.options.map { (label(of: $0), $0.help) }
        sections.append(table("options:", options + [("--help", "show this and stop")]))
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func label(of option: OptionDefinition) -> String {
        guard let valueName = option.valueName else { return "--\(option.name)" }
        return "--\(option.name) \(valueName)"
    }

    private static func table(_ title: String, _ rows: [(String, String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count + 2) + right
        }
        return ([title] + lines).joined(separator: "\n")
    }
}
