import CloudCore
import CloudCrypto
import Glibc

/// The folder of asset files, shared by all processes of a store.
///
/// A file on its way lies in `uploads`; a whole one in a folder named by the first byte of its SHA-256, under the hash and
/// a suffix drawn for it. No two files ever have one name, so whoever removes a file removes that one and no later one of
/// the same content. Nothing but hashes and suffixes makes a path.
package final class AssetFolder: Sendable {
    package let path: String
    private let isTemporary: Bool

    private static let uploads = "uploads"
    /// The names of the folders that whole files lie in.
    package static let shards: [String] = (0...255).map { Hex.encode([UInt8($0)]) }

    /// Makes the folder (mode 0700) when it is missing.
    /// - Throws: `CloudError` that names the folder.
    package init(_ path: String) throws {
        self.path = path
        isTemporary = false
        try Self.make(path)
        try Self.make(path + "/" + Self.uploads)
    }

    private init(temporary path: String) throws {
        self.path = path
        isTemporary = true
        try Self.make(path + "/" + Self.uploads)
    }

    /// A folder of its own that goes with the value or when it is closed.
    package static func temporary() throws -> AssetFolder {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((base + "/cumulet-assets-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw AssetFileError("cannot make a folder in \(base)") }
        return try AssetFolder(temporary: String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self))
    }

    deinit { close() }

    /// Removes a temporary folder with all in it.
    package func close() {
        guard isTemporary else { return }
        for shard in Self.shards + [Self.uploads] {
            for name in Self.entries(of: "\(path)/\(shard)") { unlink("\(path)/\(shard)/\(name)") }
            rmdir("\(path)/\(shard)")
        }
        rmdir(path)
    }

    /// Begins a file.
    /// - Throws: `tryAgainLater` when the disk is full; ``AssetFileError``.
    package func makeUpload() throws -> AssetUpload {
        try AssetUpload(in: self, path: "\(path)/\(Self.uploads)/\(Hex.encode(Crypto.random(16)))")
    }

    /// Opens a file for reading; `nil` when it is not there.
    /// - Parameter size: Its bytes, as they are stored: a client is promised that many.
    /// - Throws: ``AssetFileError`` when the file has another size, or the system refuses for another reason.
    package func open(_ name: AssetFileName, size: Int64) throws -> Int32? {
        let descriptor = Glibc.open(path(of: name), O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else {
            var found = stat()
            if fstat(descriptor, &found) == 0, found.st_size == off_t(size) { return descriptor }
            Glibc.close(descriptor)
            throw AssetFileError(
                text: "an asset's file has \(found.st_size) bytes, not \(size): it was copied in part, or is damaged")
        }
        guard errno == ENOENT else { throw AssetFileError("cannot open an asset's file") }
        return nil
    }

    /// Bytes of a file; `nil` when it is not there.
    package func size(of name: AssetFileName) -> Int64? {
        var found = stat()
        return stat(path(of: name), &found) == 0 ? Int64(found.st_size) : nil
    }

    /// Removes a file, if it is there.
    package func remove(_ name: AssetFileName) throws {
        guard unlink(path(of: name)) == 0 || errno == ENOENT else {
            throw AssetFileError("cannot remove an asset's file")
        }
    }

    func path(of name: AssetFileName) -> String { "\(path)/\(name.shard)/\(name.text)" }

    /// Puts a whole file where it belongs and sees to it that a power cut does not undo that.
    func place(_ source: String, as name: AssetFileName) throws {
        let shard = "\(path)/\(name.shard)"
        if mkdir(shard, 0o700) == 0 {
            try Self.sync(path)
        } else if errno != EEXIST {
            throw AssetFileError("cannot make the folder \(shard)")
        }
        guard rename(source, path(of: name)) == 0 else { throw AssetFileError("cannot rename an upload") }
        try Self.sync(shard)
    }

    // MARK: - What nobody knows of

    /// A file as the folder has it.
    struct Entry: Hashable {
        /// Below the folder.
        let path: String
        /// `nil` for what is no whole file of ours.
        let name: AssetFileName?
        let size: Int64
        /// Last written, in seconds since 1970 by the file system's clock, and the fraction in nanoseconds.
        let seconds, nanoseconds: Int
    }

    func uploadEntries() -> [Entry] { listing(Self.uploads) }
    func entries(ofShard shard: String) -> [Entry] { listing(shard) }

    func remove(_ entry: Entry) throws {
        guard unlink("\(path)/\(entry.path)") == 0 || errno == ENOENT else {
            throw AssetFileError("cannot remove a left-over file")
        }
    }

    private func listing(_ folder: String) -> [Entry] {
        Self.entries(of: "\(path)/\(folder)").compactMap { text in
            var found = stat()
            guard stat("\(path)/\(folder)/\(text)", &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
            return Entry(
                path: "\(folder)/\(text)", name: folder == Self.uploads ? nil : AssetFileName(text),
                size: Int64(found.st_size), seconds: Int(found.st_mtim.tv_sec), nanoseconds: Int(found.st_mtim.tv_nsec))
        }
    }

    private static func entries(of path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw AssetFileError("cannot make the folder \(path)") }
    }

    private static func sync(_ folder: String) throws {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AssetFileError("cannot open the folder \(folder)") }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw AssetFileError("cannot write the folder \(folder) to disk") }
    }
}

/// The name of a whole file: its content's SHA-256 and what tells it from others of that content.
package struct AssetFileName: Hashable, Sendable {
    package let content: [UInt8]
    package let suffix: String

    /// - Parameter content: 32 bytes.
    package init(content: [UInt8], suffix: String) {
        self.content = content
        self.suffix = suffix
    }

    /// A new name for a content.
    init(of content: [UInt8]) { self.init(content: content, suffix: Hex.encode(Crypto.random(8))) }

    /// Reads a name; `nil` for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let content = Hex.decode(String(parts[0])), content.count == 32,
            Hex.decode(String(parts[1]))?.count == 8
        else { return nil }
        self.init(content: content, suffix: String(parts[1]))
    }

    var text: String { Hex.encode(content) + "." + suffix }
    var shard: String { Hex.encode([content[0]]) }
}

/// What the system refused to do with a file; the reason is for the operator.
package struct AssetFileError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(text: String) { description = text }

    /// Takes the system's own words from `errno`.
    init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
}
