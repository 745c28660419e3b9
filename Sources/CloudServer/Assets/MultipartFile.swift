import CloudCore
import Glibc

/// Takes the file out of a `multipart/form-data` body as it comes: the content of the part named `files`.
struct MultipartFile {
    private enum State {
        /// Before a delimiter, in bytes that nobody wants.
        case skipping
        /// Before a delimiter, in the file.
        case file
        /// Behind a delimiter: two hyphens end the body.
        case delimiter
        /// Behind a delimiter that ends none, where blanks may stand before the line break that begins a part's headers.
        case padding
        case headers
        /// Before the line break that ends the headers of the file: behind it the file begins, unless a delimiter does with it.
        case opening
        case over
    }

    static let partName = "files"
    private static let longestHeaders = 16_384

    private let delimiter: [UInt8]
    private var state = State.skipping
    /// What has come and not been understood yet. The body's first delimiter has no line break before it.
    private var buffer: [UInt8] = [13, 10]
    private var hasFile = false
    /// Where the end of the headers in `buffer` may begin: what is before was looked at.
    private var looked = 0
    /// Bytes looked at so far: not many more than came, wherever the body is cut and whatever is in it.
    private(set) var steps = 0

    /// - Returns: `nil` when the body is not a form: then it is the file itself, whatever it is labelled.
    /// - Throws: `BAD_REQUEST` for a form without a boundary.
    init?(contentType: String?) throws(CloudError) {
        guard let contentType else { return nil }
        let parameters = Self.parameters(contentType)
        guard parameters.value == "multipart/form-data" else { return nil }
        guard let boundary = parameters["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw Self.malformed("its Content-Type has no boundary of 1 to 70 characters")
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Takes the next bytes of the body and hands over what belongs to the file.
    mutating func feed(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        buffer += bytes
        var start = 0
        while try step(&start, body) {}
        buffer.removeSubrange(..<start)
        looked = max(0, looked - start)
    }

    /// - Throws: `BAD_REQUEST` when the body ended before its end, or had no file.
    func finish() throws(CloudError) {
        guard case .over = state else { throw Self.malformed("it ends before its last boundary") }
        guard hasFile else { throw Self.malformed("it has no part named '\(Self.partName)'") }
    }

    /// Understands the next piece from `start` on and moves `start` behind it.
    /// - Returns: False when more has to come first.
    private mutating func step(_ start: inout Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        switch state {
        case .skipping, .file:
            let found = buffer.position(of: delimiter, from: start, &steps)
            let end = found ?? max(start, buffer.count - delimiter.count + 1)
            if case .file = state, end > start {
                try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
            }
            start = end
            guard found != nil else { return false }
            start += delimiter.count
            state = .delimiter
        case .delimiter:
            guard buffer.count - start >= 2 else { return false }
            if buffer[start] == UInt8(ascii: "-"), buffer[start + 1] == UInt8(ascii: "-") {
                state = .over
            } else {
                state = .padding
            }
        case .padding:
            let end = buffer[start...].firstIndex { $0 != 32 && $0 != 9 } ?? buffer.count
            steps += end - start
            start = end
            guard buffer.count - start >= 2 else { return false }
            // The line break belongs to the headers, which may be none.
            guard buffer[start] == 13, buffer[start + 1] == 10 else {
                throw Self.malformed("a boundary is not at the end of its line")
            }
            looked = start
            state = .headers
        case .headers:
            guard let end = buffer.position(of: [13, 10, 13, 10], from: looked, &steps) else {
                looked = max(start, buffer.count - 3)
                guard buffer.count - start <= Self.longestHeaders else {
                    throw Self.malformed("a part's headers have more than \(Self.longestHeaders) bytes")
                }
                return false
            }
            let headers = String(decoding: buffer[start..<end], as: UTF8.self)
            // The delimiter of an empty part may share its line break with the end of the headers.
            start = end + 2
            state = Self.isFile(headers) ? .opening : .skipping
            if case .opening = state {
                guard !hasFile else { throw Self.malformed("it has two parts named '\(Self.partName)'") }
                hasFile = true
            }
        case .opening:
            let begun = buffer[start...].prefix(delimiter.count)
            guard begun.count == delimiter.count || !delimiter.starts(with: begun) else { return false }
            if !begun.elementsEqual(delimiter) { start += 2 }
            state = .file
        case .over:
            start = buffer.count
            return false
        }
        return true
    }

    private static func isFile(_ headers: String) -> Bool {
        headers.split(separator: "\r\n").contains { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { return false }
            let disposition = parameters(String(parts[1]))
            return disposition.value == "form-data" && disposition["name"] == partName
        }
    }

    private static func malformed(_ why: String) -> CloudError {
        CloudError(.badRequest, "the upload's form cannot be read: \(why)", nativeCode: 12)
    }

    /// A header's value with its parameters; quotes are taken off.
    private struct Parameters {
        var value = ""
        var parameters: [(name: String, value: String)] = []
        subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    }

    private static func parameters(_ text: String) -> Parameters {
        var result = Parameters()
        var pieces: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                pieces[pieces.count - 1].append(character)
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        func trimmed(_ text: some StringProtocol) -> String {
            let start = text.drop { $0 == " " || $0 == "\t" }
            guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
            return String(start[...end])
        }
        result.value = trimmed(pieces[0]).lowercased()
        for piece in pieces.dropFirst() {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            result.parameters.append((trimmed(halves[0]).lowercased(), trimmed(halves[1])))
        }
        return result
    }
}

extension [UInt8] {
    /// Where `pattern`, which begins with a carriage return, stands first at or behind `start`.
    /// - Parameter steps: Rises by the bytes looked at.
    fileprivate func position(of pattern: [UInt8], from start: Int, _ steps: inout Int) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = start
            defer { steps += Swift.min(place + pattern.count, bytes.count) - start }
            while place + pattern.count <= bytes.count {
                guard let found = memchr(base + place, 13, bytes.count - pattern.count + 1 - place) else {
                    place = bytes.count
                    return nil
                }
                place = base.distance(to: found)
                if memcmp(found, pattern, pattern.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }
}
