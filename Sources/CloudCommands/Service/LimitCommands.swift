import CloudCore

/// `limits`, and the option of the service that sets them.
enum LimitCommands {
    static let limits = CommandDefinition(
        "limits", abstract: "Lists the limits of the service with their defaults.",
        discussion: "`serve --limit NAME=VALUE` sets one, as often as it is given; 2M means 2 x 1024 x 1024."
    ) { _ in
        let defaults = CloudLimits()
        let rows = CloudLimits.settings.map { [$0.name, String(defaults[keyPath: $0.path]), $0.help] }
        Terminal.write(TextTable.text(of: [["NAME", "DEFAULT", "WHAT"]] + rows), to: 1)
    }

    static let option = OptionDefinition.option(
        "limit", "NAME=VALUE", help: "sets a limit; `cumulet limits` lists them", isRepeatable: true)

    static func limits(_ values: ArgumentValues) throws(UsageError) -> CloudLimits {
        var limits = CloudLimits()
        for text in values.list("limit") {
            do {
                try limits.set(text)
            } catch {
                throw UsageError(error.reason)
            }
        }
        return limits
    }
}
