import Foundation
import ProcessTestSupport

/// What the compiled module offers, as the compiler's symbol graph tells it.
struct SymbolGraph {
    struct Symbol: Hashable, CustomStringConvertible {
        /// The type it belongs to, by its nested name; `(global)` for none.
        var type: String
        var declaration: String
        var description: String { type + ": " + declaration }
    }

    /// Every symbol once.
    private(set) var symbols: Set<Symbol> = []
    /// The compiler's own names of the symbols.
    private(set) var identifiers: [Symbol: Set<String>] = [:]
    /// What can be written too: the members of a class under its other names, and overrides.
    private var repeated: Set<Symbol> = []

    /// Reads the graph of a module that was built beside this test.
    init(module: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Self.extract(module, into: folder)
        var files: [File] = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            files.append(try JSONDecoder().decode(File.self, from: Data(contentsOf: file)))
        }
        let entries = files.flatMap(\.symbols)
        let names = Self.nestedNames(entries)
        for entry in entries where entry.givesName(of: names) {
            let name = entry.pathComponents.joined(separator: ".")
            identifiers[Symbol(type: name, declaration: "class " + entry.name), default: []].insert(entry.usr)
        }
        for entry in entries where !entry.givesName(of: names) {
            identifiers[entry.symbol(names), default: []].insert(entry.usr)
            if entry.text.hasPrefix("override ") {
                repeated.insert(entry.symbol(names))
            } else {
                symbols.insert(entry.symbol(names))
            }
        }
        for entry in entries where entry.isTypealias && entry.pathComponents.count > 1 {
            let target = names[entry.aliasTarget] ?? entry.aliasTarget
            let name = entry.pathComponents.joined(separator: ".")
            guard name != target else { continue }
            for symbol in symbols where symbol.type == target {
                let isType = symbol.declaration == "class " + (target.split(separator: ".").last ?? "")
                repeated.insert(Symbol(type: name, declaration: isType ? "class " + entry.name : symbol.declaration))
            }
        }
    }

    func contains(_ symbol: Symbol) -> Bool { symbols.contains(symbol) || repeated.contains(symbol) }

    /// `CKRecordID` is `CKRecord.ID` to an app: nested type aliases of the module's own top-level classes.
    private static func nestedNames(_ entries: [Entry]) -> [String: String] {
        let classes = Set(
            entries.filter { $0.kind.identifier == "swift.class" && $0.pathComponents.count == 1 }.map(\.name))
        var names: [String: String] = [:]
        for entry in entries where entry.isTypealias && entry.pathComponents.count > 1 {
            if classes.contains(entry.aliasTarget) {
                names[entry.aliasTarget] = entry.pathComponents.joined(separator: ".")
            }
        }
        return names
    }

    #if arch(arm64)
        private static let platform = "aarch64-unknown-linux-gnu"
    #else
        private static let platform = "x86_64-unknown-linux-gnu"
    #endif

    private static func extract(_ module: String, into folder: URL) async throws {
        let build = try buildFolder()
        let sources = root.appendingPathComponent("Sources")
        let maps = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("C") }
            .flatMap {
                [
                    $0.appendingPathComponent("module.modulemap"),
                    build.appendingPathComponent("\($0.lastPathComponent).build/module.modulemap"),
                ]
            }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
        let extraction = try ChildProcess(
            "swift",
            [
                "symbolgraph-extract", "-module-name", module, "-target", platform, "-I",
                build.appendingPathComponent("Modules").path, "-minimum-access-level", "public",
                "-skip-inherited-docs", "-skip-synthesized-members", "-output-dir", folder.path,
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] })
        guard await extraction.waitUntilExit().isSuccess else {
            throw Failure(description: "the symbol graph cannot be read")
        }
    }

    /// The folder of the package.
    static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
    }

    /// The folder of the products that this test is one of.
    static func buildFolder() throws -> URL {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: executable).deletingLastPathComponent()
    }

    struct Failure: Error, CustomStringConvertible { var description: String }

    private struct File: Decodable { var symbols: [Entry] }

    private struct Entry: Decodable {
        struct Kind: Decodable { var identifier: String }
        struct Fragment: Decodable { var spelling: String }
        struct Identifier: Decodable { var precise: String }

        var kind: Kind
        var identifier: Identifier
        var pathComponents: [String]
        var declarationFragments: [Fragment]

        var name: String { pathComponents.last ?? "" }
        var text: String { declarationFragments.map(\.spelling).joined() }

        var isType: Bool {
            ["swift.class", "swift.struct", "swift.enum", "swift.protocol"].contains(kind.identifier)
        }

        /// The compiler's name; a member that a type has from a protocol is the protocol's.
        var usr: String { identifier.precise.components(separatedBy: "::SYNTHESIZED::")[0] }

        var isTypealias: Bool { kind.identifier == "swift.typealias" }
        var aliasTarget: String { text.components(separatedBy: " = ").last ?? "" }

        /// Whether it only gives one of the module's classes its nested name.
        func givesName(of names: [String: String]) -> Bool {
            isTypealias && names[aliasTarget] == pathComponents.joined(separator: ".")
        }

        func symbol(_ names: [String: String]) -> Symbol {
            let scope = pathComponents.dropLast().map { names[$0] ?? $0 }.joined(separator: ".")
            let declaration = Declaration(text, names: names).text
            guard isType else { return Symbol(type: scope.isEmpty ? "(global)" : scope, declaration: declaration) }
            // A class with an Objective-C name of its own is listed where its nested name puts it.
            let type = names[name] ?? (scope.isEmpty ? name : scope + "." + name)
            let keyword = declaration.prefix { $0 != " " }
            return Symbol(type: type, declaration: keyword + " " + (type.split(separator: ".").last ?? ""))
        }
    }
}
