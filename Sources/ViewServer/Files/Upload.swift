import Glibc
import HTTPCore

/// Files that come one after the other in one body.
struct Upload {
    /// Of one drop.
    static let countLimit = 50

    private let names: [String]
    private let sizes: [Int]

    /// - Throws: ``Refusal`` where the head does not tell what comes, or tells too much.
    init(_ head: HTTPRequest, limit: Int) throws(Refusal) {
        // No form of another page can send this header.
        guard let names = head.headers["X-File-Name"]?.split(separator: ","), !names.isEmpty,
            names.count <= Self.countLimit
        else { throw Refusal(400, "X-File-Name must have 1 to \(Self.countLimit) names") }
        var sizes = (head.headers["X-File-Size"] ?? "").split(separator: ",").compactMap { Int($0) }
        if sizes.isEmpty, names.count == 1, let length = head.headers["Content-Length"].flatMap({ Int($0) }) {
            sizes = [length]
        }
        guard sizes.count == names.count, sizes.allSatisfy({ $0 >= 0 && $0 <= limit }) else {
            throw sizes.contains { $0 > limit }
                ? Self.tooLarge(limit) : Refusal(400, "X-File-Size must have a size for each name")
        }
        guard sizes.reduce(0, +) <= limit else { throw Self.tooLarge(limit) }
        self.names = names.enumerated().map { Self.safeName($1, number: $0) }
        self.sizes = sizes
    }

    private static func tooLarge(_ limit: Int) -> Refusal {
        Refusal(413, "files have at most \(limit) bytes at a time")
    }

    /// The last part of a name, without what a name in a folder must not have, and another one for each number.
    static func safeName(_ text: Substring, number: Int) -> String {
        let name = PercentText.decode(text) ?? "file"
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        var kept = String.UnicodeScalarView(last.unicodeScalars.filter { $0.properties.generalCategory != .control })
        while kept.first == "." { kept.removeFirst() }
        var short = String(kept)
        while short.utf8.count > 120 { short.removeFirst() }
        if short.isEmpty { short = "file" }
        return number == 0 ? short : "\(number + 1)-\(short)"
    }

    /// Writes the files into a folder.
    /// - Returns: Their paths.
    func receive(_ body: any HTTPBodyStream, into folder: String) async throws(Refusal) -> [String] {
        var paths: [String] = []
        var rest: [UInt8] = []
        do {
            for (name, size) in zip(names, sizes) {
                let path = "\(folder)/\(name)"
                let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
                guard file >= 0 else { throw Refusal(500, "a file cannot be kept") }
                defer { close(file) }
                var missing = size
                while missing > 0 {
                    if rest.isEmpty {
                        guard let piece = try await body.next() else { throw Refusal(400, "the files are cut short") }
                        rest = piece
                    }
                    let count = min(missing, rest.count)
                    guard Self.write(rest[..<count], to: file) else { throw Refusal(507, "the disk is full") }
                    rest.removeFirst(count)
                    missing -= count
                }
                paths.append(path)
            }
            let more = try await body.next()
            guard rest.isEmpty, more == nil else { throw Refusal(400, "more came than was told") }
        } catch {
            UploadFolder.remove(folder)
            throw error as? Refusal ?? Refusal(400, "\(error)")
        }
        return paths
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
