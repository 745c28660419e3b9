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
}
