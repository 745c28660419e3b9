import CloudWire
import Foundation
import Testing

struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `numbers are exact and shortest`() {
        #expect(text { $0.integer(.max) } == "9223372036854775807")
        #expect(text { $0.integer(.min) } == "-9223372036854775808")
        #expect(text { $0.integer(0) } == "0")
        #expect(text { $0.integer(-10, quoted: true) } == "\"-10\"")
        #expect(text { $0.double(-0.0) } == "-0.0")
        #expect(text { $0.double(0.1 + 0.2) } == "0.30000000000000004")
        #expect(text { $0.double(.leastNonzeroMagnitude) } == "5e-324")
        #expect(text { $0.double(3) } == "3.0")
        #expect(text { $0.double(.infinity) } == "\"inf\"")
    }

    @Test(arguments: [
        -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0.1 + 0.2, .greatestFiniteMagnitude,
        .leastNormalMagnitude, 1e23, 1e16, 123456.75,
    ])
    func `a double reads back bit for bit`(_ number: Double) throws {
        let body = JSONWriter.document {
            $0.key("n")
            $0.double(number)
        }
        let back = try JSONTape.readObject(body) { json throws(WireError) in try json.required("n").double() }
        #expect(back.bitPattern == number.bitPattern)
    }

    @Test func `quotes, backslashes and control characters are escaped and nothing else`() {
        #expect(
            text { $0.string("a\"b\\c\n\r\t\u{8}\u{C}\u{0}\u{1F}/é\u{2028}😀") }
                == #""a\"b\\c\n\r\t\b\f\u0000\u001f/é"# + "\u{2028}😀\"")
    }
}
