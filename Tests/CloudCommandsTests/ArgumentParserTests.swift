import Testing

@testable import CloudCommands

struct ArgumentParserTests {
    private static let tool = CommandDefinition(
        "tool", abstract: "A tool.",
        subcommands: [
            CommandDefinition(
                "send", abstract: "Sends.", arguments: [ArgumentDefinition("TEXT", help: "what")],
                options: [
                    .option("port", "PORT", help: "where"),
                    .option("log", "FORMAT", help: "how", choices: ["text", "json"]),
                    .option("tag", "WORD", help: "how it is filed", isRepeatable: true),
                    .flag("loud", help: "louder"), .option("to", "NAME", help: "whom", isRequired: true),
                ], action: { _ in }),
            CommandDefinition(
                "box", abstract: "A box.",
                subcommands: [
                    CommandDefinition("open", abstract: "Opens.", action: { _ in })
                ]),
        ])

    private func values(_ words: String...) throws -> ArgumentValues {
        guard case .run(_, let values, _) = try ArgumentParser.parse(words, as: Self.tool) else {
            throw UsageError("not a run")
        }
        return values
    }

    private func refusal(_ words: [String]) -> UsageError? {
        do throws(UsageError) {
            _ = try ArgumentParser.parse(words, as: Self.tool)
            return nil
        } catch {
            return error
        }
    }

    @Test func `options stand anywhere, with a blank or an equals sign`() throws {
        let values = try values("send", "--port", "0", "hello", "--to=bob", "--loud")
        #expect(values.argument("TEXT") == "hello")
        #expect(try values.number("port", in: 0...65535) == 0)
        #expect(values.option("to") == "bob")
        #expect(values.flag("loud"))
    }

    @Test func `a repeatable option keeps all its values in order`() throws {
        let values = try values("send", "x", "--to", "bob", "--tag", "b", "--tag=a", "--tag", "b")
        #expect(values.list("tag") == ["b", "a", "b"])
        #expect(try self.values("send", "x", "--to", "bob").list("tag").isEmpty)
    }

    @Test func `after two dashes everything is an argument`() throws {
        #expect(try values("send", "--to", "bob", "--", "--help").argument("TEXT") == "--help")
    }

    @Test(arguments: [
        ([], "a command is missing"),
        (["sned"], "unknown command 'sned'"),
        (["box"], "a command is missing"),
        (["send", "--to", "bob"], "the argument TEXT is missing"),
        (["send", "x"], "the option --to is missing"),
        (["send", "x", "y", "--to", "bob"], "unexpected argument 'y'"),
        (
            ["send", "x", "postgresql://u:secret@h/d", "--to", "bob"],
            "unexpected argument (not shown: it looks like an address)"
        ),
        (["send", "x", "--to"], "the option --to needs a value: NAME"),
        (["send", "x", "--to", "--loud"], "the option --to needs a value: NAME"),
        (["send", "x", "--to="], "the value of --to is empty"),
        (["send", "x", "--to", "a", "--to", "b"], "the option --to is given twice"),
        (["send", "x", "--to", "a", "--loud=yes"], "the flag --loud takes no value"),
        (["send", "x", "--to", "a", "--quiet"], "unknown option '--quiet'"),
        (["send", "x", "--to", "a", "--log", "xml"], "'xml' is not a value for --log: one of text, json"),
    ])
    func `wrong usage is refused with what is wrong and the usage`(words: [String], message: String) throws {
        let error = try #require(refusal(words))
        #expect(error.message == message)
        #expect(error.usage?.hasPrefix("usage: tool ") == true)
    }

    @Test func `a number outside its range is refused`() throws {
        let values = try values("send", "x", "--to", "a", "--port", "65536")
        #expect(throws: UsageError.self) { try values.number("port", in: 0...65535) }
    }

    @Test(arguments: [
        ["--help"], ["send", "--help"], ["send", "x", "-h"], ["box", "--help"], ["box", "open", "--help"],
    ])
    func `every command has help`(words: [String]) throws {
        guard case .help(let text) = try ArgumentParser.parse(words, as: Self.tool) else {
            Issue.record("no help for \(words)")
            return
        }
        #expect(text.contains("usage: tool"))
        #expect(text.contains("--help"))
    }
}
