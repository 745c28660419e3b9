import CloudCrypto
import Glibc
import HTTPCore
import Synchronization

/// Local files that windows show, each at an address that nobody can guess. Nothing else of the disk is served.
package final class FileShelf: Sendable {
    /// The one of this process.
    package static let shared = FileShelf()

    private struct State {
        var keys: [String: String] = [:]
        var paths: [String: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Lets a file be shown. It is read when it is asked for; the same path has the same address as long as the process lives.
    package func address(of path: String) -> String {
        let key = state.withLock { state in
            if let key = state.keys[path] { return key }
            let key = Hexadecimal.text(Crypto.random(16))
            state.keys[path] = key
            state.paths[key] = path
            return key
        }
        return "/files/\(key)/\(PercentText.encode(path.split(separator: "/").last ?? ""))"
    }

    /// Answers for an address below `/files/`.
    func answer(_ path: Substring, to request: HTTPRequest) throws(Refusal) -> HTTPResponse {
        let missing = Refusal(404, "there is no such file")
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, let known = state.withLock({ $0.paths[String(parts[2])] }) else { throw missing }
        let descriptor = open(known, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw missing }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw missing
        }
        let file = HTTPFile(taking: descriptor, offset: 0, count: Int64(found.st_size))
        let tag = "\"\(found.st_size)-\(found.st_mtim.tv_sec)-\(found.st_mtim.tv_nsec)\""
        let type = FileType.of(file, name: known)
        var headers: HTTPHeaders = [
            "Content-Type": type.name, "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
            // Opened by itself, a file runs nothing and is of no origin.
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
        if !type.isShown { headers["Content-Disposition"] = "attachment" }
        return .file(file, tag: tag, for: request, headers: headers)
    }
}

/// What a file holds.
struct FileType: Equatable {
    let name: String
    /// Whether a browser shows it; other files are only to be kept.
    let isShown: Bool

    private static let byExtension = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "svg": "image/svg+xml", "bmp": "image/bmp", "pdf": "application/pdf",
        "txt": "text/plain; charset=utf-8", "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav",
        "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
    ]

    private static let beginnings: [(offset: Int, bytes: [UInt8], type: String)] = [
        (0, [0x89, 0x50, 0x4E, 0x47], "image/png"), (0, [0xFF, 0xD8, 0xFF], "image/jpeg"),
        (0, Array("GIF8".utf8), "image/gif"), (8, Array("WEBP".utf8), "image/webp"),
        (4, Array("ftypavif".utf8), "image/avif"), (0, Array("%PDF-".utf8), "application/pdf"),
    ]

    /// By its first bytes, as pictures from a database often have no telling name; else by its name.
    static func of(_ file: HTTPFile, name: String) -> FileType {
        let first = file.part(first: 0, count: min(16, file.count)).bytes() ?? []
        for (offset, bytes, type) in beginnings where first.dropFirst(offset).starts(with: bytes) {
            return FileType(name: type, isShown: true)
        }
        let ending = name.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
        if let type = byExtension[ending] { return FileType(name: type, isShown: true) }
        return FileType(name: "application/octet-stream", isShown: false)
    }
}
