@testable import CloudServer
import CloudTestSupport
import Testing

@Suite struct MultipartFileTests {
    private func file(_ form: [UInt8], pieces: [Int]) throws -> [UInt8] {
        var parser = try #require(try MultipartFile(contentType: "Multipart/Form-Data; charset=utf-8; Boundary=xyz"))
        var found: [UInt8] = []
        var rest = form[...]
        for size in pieces {
            try parser.feed(Array(rest.prefix(size))) { found += $0 }
            rest = rest.dropFirst(size)
        }
        try parser.feed(Array(rest)) { found += $0 }
        try parser.finish()
        return found
    }

    /// Full of what looks like the beginning of a boundary.
    private let content = Array("\r\n--xy\r\n\r\n--xy-\r\r\n-\r\n--XYZ\r\n--xyy--".utf8)

    @Test func `a file comes out whole wherever the form is cut`() throws {
        let form = AssetClient.form(content)
        for cut in 0...form.count { #expect(try file(form, pieces: [cut]) == content, "cut at \(cut)") }
        #expect(try file(form, pieces: Array(repeating: 1, count: form.count)) == content)
    }

    @Test func `a body that is no form is the file itself`() throws {
        for type in [nil, "application/octet-stream", "application/x-www-form-urlencoded", "multipart/mixed", ""] {
            #expect(try MultipartFile(contentType: type) == nil)
        }
    }

    /// Bodies of 8 MB in pieces of 4 KB: what is looked at anew for each piece would be a thousand times as much.
    @Test(arguments: ["preamble", "line breaks", "padding", "another part", "headers", "file"])
    func `each byte is looked at once or twice, whatever the body is made of`(what: String) throws {
        let long = [UInt8](repeating: UInt8(ascii: what == "padding" ? " " : "x"), count: 8_000_000)
        let breaks = Array(repeating: Array("\r\n--xy".utf8), count: 1_000_000).flatMap { $0 }
        func part(_ name: String, _ bytes: [UInt8], padding: [UInt8] = []) -> [UInt8] {
            Array("\r\n--xyz".utf8) + padding
                + Array("\r\nContent-Disposition: form-data; name=\(name)\r\n\r\n".utf8) + bytes
        }
        let end = Array("\r\n--xyz--".utf8)
        let body: [UInt8] =
            switch what {
            case "preamble": long + part("files", [1]) + end
            case "line breaks": breaks + part("files", [1]) + end
            case "padding": part("files", [1], padding: long) + end
            case "another part": part("note", long) + part("files", [1]) + end
            case "headers":
                (0..<500).flatMap { part("n\($0)\r\nX: " + String(repeating: "y", count: 16_000), []) }
                    + part("files", [1]) + end
            default: part("files", long) + end
            }
        var parser = try #require(try MultipartFile(contentType: "multipart/form-data; boundary=xyz"))
        var count = 0
        for start in stride(from: 0, to: body.count, by: 4096) {
            try parser.feed(Array(body[start..<min(start + 4096, body.count)])) { count += $0.count }
        }
        try parser.finish()
        #expect(count == (what == "file" ? 8_000_000 : 1))
        #expect(parser.steps < 2 * body.count, "\(what): \(parser.steps) steps for \(body.count) bytes")
    }
}
