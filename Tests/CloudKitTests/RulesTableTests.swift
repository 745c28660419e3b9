import Foundation
import Testing

/// `Docs/Compatibility/rules.tsv`: what CloudKit does, rule by rule, and the test that shows it here.
@Suite struct RulesTableTests {
    private struct Row {
        let line: Int
        /// The part of CloudKit's behaviour, or a case of other people's code: `C01`.
        let section: String
        let rule: String
        /// Suite and test, or `not here: ` and why.
        let test: String
        var isHere: Bool { !test.hasPrefix("not here: ") }
    }

    private static let root = SymbolTable.file.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func rows() throws -> [Row] {
        let file = root.appendingPathComponent("Docs/Compatibility/rules.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return lines.enumerated().dropFirst().map { index, line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 3 else { return Row(line: index + 1, section: "", rule: String(line), test: "") }
            return Row(line: index + 1, section: columns[0], rule: columns[1], test: columns[2])
        }
    }

    /// `Suite/test` of every test in the sources.
    private static func tests() throws -> Set<String> {
        let folder = root.appendingPathComponent("Tests")
        let files =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        var tests: Set<String> = []
        for file in files {
            var suite = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let name = Self.suite(line) { suite = name }
                // The formatter puts the name of a test on a line of its own where it is long.
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                if parts.count == 3, line.first == " ", parts[2].first == "(" { tests.insert("\(suite)/\(parts[1])") }
            }
        }
        return tests
    }

    /// The type that a line without indentation begins.
    private static func suite(_ line: Substring) -> String? {
        guard line.first != " ", line.first != "/" else { return nil }
        for keyword in ["struct ", "extension "] {
            guard let found = line.range(of: keyword) else { continue }
            let rest = line[found.upperBound...]
            if rest.first == "`" { return rest.dropFirst().prefix { $0 != "`" }.description }
            return rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.description
        }
        return nil
    }

    @Test func `every rule names a test that is there, or says why it is not here`() throws {
        let tests = try Self.tests()
        for row in try Self.rows() {
            #expect(!row.section.isEmpty && !row.rule.isEmpty, "line \(row.line): \(row.rule)")
            #expect(!row.isHere || tests.contains(row.test), "line \(row.line): no test '\(row.test)'")
        }
    }

    @Test func `every part of CloudKit's behaviour but the sync engine, and every case, has its rows`() throws {
        let sections = Set(try Self.rows().map { $0.section.prefix { $0 != "." } })
        let parts = (1...16).filter { $0 != 14 }.map { "\($0)" }
        let cases = (1...39).map { $0 < 10 ? "C0\($0)" : "C\($0)" }
        let missing = (parts + cases).filter { !sections.contains($0[...]) }
        #expect(missing.isEmpty)
    }
}
