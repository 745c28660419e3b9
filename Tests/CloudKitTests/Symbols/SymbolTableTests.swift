import Foundation
import Testing

@Suite struct SymbolTableTests {
    /// With `CUMULET_SYMBOLS=write` in the environment the table is written anew first: `make symbols`.
    @Test func `the table of symbols names all of the module, and nothing as done that the module lacks`() async throws
    {
        let graph = try await SymbolGraph(module: "CloudKit")
        var table = try SymbolTable(contentsOf: SymbolTable.file)
        if ProcessInfo.processInfo.environment["CUMULET_SYMBOLS"] == "write" {
            table.update(from: graph)
            try table.write(to: SymbolTable.file)
        }
        let faults = table.faults(graph).sorted()
        #expect(faults.isEmpty, "run `make symbols` and look at the difference:\n\(faults.joined(separator: "\n"))")
        #expect(table.rows.count { $0.state == .done } > 400)
    }

    @Test func `every symbol that is here is used in the package of sources that compile elsewhere`() throws {
        let sources = SymbolTable.file.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Tests/SourceCompatibility/Sources/Uses")
        let unused = try SymbolTable(contentsOf: SymbolTable.file).unused(in: sources).map(\.description).sorted()
        #expect(unused.isEmpty, "\(unused.joined(separator: "\n"))")
    }

    @Test func `every symbol that is here is used by a test, as the compiler has seen`() async throws {
        let graph = try await SymbolGraph(module: "CloudKit")
        let tests = SymbolGraph.root.appendingPathComponent("Tests")
        let index = try IndexStore(
            of: SymbolGraph.buildFolder(),
            usesIn: ["CloudKitTests", "ConformanceTests", "CloudServerTests", "CloudCommandsTests", "SwiftUITests"].map
            {
                tests.appendingPathComponent($0)
            })
        let uncalled = try SymbolTable(contentsOf: SymbolTable.file).uncalled(graph, in: index)
            .map(\.description).sorted()
        #expect(uncalled.isEmpty, "\(uncalled.count):\n\(uncalled.joined(separator: "\n"))")
    }

    @Test func `at least 97 of a hundred symbols in reach are done, and the page says how many`() throws {
        let share = try SymbolTable(contentsOf: SymbolTable.file).share
        #expect(share.done * 100 >= share.inReach * 97, "\(share.text)")
        let page = SymbolGraph.root.appendingPathComponent("Docs/Compatibility.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains(share.text), "\(share.text)")
    }

    @Test func `declarations are compared by what a caller sees`() {
        let theirs = Declaration("convenience init(name: String? = nil, zoneID id: CKRecordZone.ID)")
        let ours = Declaration(
            "public init(name: String? = nil,\n zoneID: CKRecordZoneID)", names: ["CKRecordZoneID": "CKRecordZone.ID"])
        #expect(theirs == ours)
        #expect(Declaration("@objc let a: Int") == Declaration("var a: Int { get }"))
        #expect(Declaration("var a: Int") != Declaration("var a: Int { get }"))
        #expect(Declaration("class func f(_ g: (Int, Int) -> Void)").text == "static func f(_: (Int, Int) -> Void)")
        #expect(Declaration("func f() async throws") != Declaration("func f() throws"))
        #expect(Declaration("case a = 1") == Declaration("case a"))
    }
}
