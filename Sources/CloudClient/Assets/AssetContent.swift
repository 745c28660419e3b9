import CloudCore
import CloudCrypto
import Foundation
import Glibc

/// The folder of one content in a cache. All calls block and are made on the cache's queue.
struct AssetContent: Sendable {
    static let file = "content"

    let asset: Asset
    /// Made of checksum and size, so that whatever a service calls a checksum names a file.
    let name: String
    let folder: String

    init(_ asset: Asset, in cache: String) {
        self.asset = asset
        name = Hex.encode(Array(Crypto.sha256(Array("\(asset.size) \(asset.fileChecksum)".utf8)).prefix(20)))
        folder = cache + "/" + name
    }

    var path: String { folder + "/" + Self.file }
    var size: Int64 { asset.size }

    /// Whether the content is here, whole and as it was put here.
    ///
    /// It is when its size and its seal are right. The seal, the nanoseconds of its time of change, is broken by whoever
    /// writes to it, and does not hold beyond the running of the system, which may have stopped before all was on the disk:
    /// then the content itself is looked at.
    func isIntact() -> Bool {
        guard let info = FileInfo(path: path) else { return false }
        if info.size == asset.size {
            if info.modified.nanoseconds == seal { return true }
            if hasRightChecksum() {
                setSeal()
                return true
            }
        }
        unlink(path)
        return false
    }

    private func hasRightChecksum() -> Bool {
        do {
            return try FileReading(path: path).checksum() == asset.fileChecksum
        } catch {
            return false
        }
    }

    /// Makes a staged file the content.
    func take(_ staged: StagedAsset) throws {
        try AssetCache.makeFolder(folder)
        guard rename(staged.path, path) == 0 else { throw AssetFault(.unwritable, path: path, code: errno) }
        setSeal()
    }

    /// Whether a link still stands for the content.
    func isSame(_ link: String) -> Bool {
        guard let own = FileInfo(path: path), let other = FileInfo(path: folder + "/" + link) else { return false }
        return own.file == other.file
    }

    /// Notes the use. The clock only orders uses among each other.
    func touch() { setTimes(modified: Self.unchanged) }

    /// What `utimensat` takes for a time that stays: its name in C is a macro.
    private static let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)

    private func setSeal() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        setTimes(modified: timespec(tv_sec: now.tv_sec, tv_nsec: seal))
    }

    private func setTimes(modified: timespec) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // A seal that cannot be set only costs a look at the content.
        _ = utimensat(AT_FDCWD, path, [now, modified], 0)
    }

    private var seal: Int {
        let bytes = Crypto.sha256(Array((Self.boot + asset.fileChecksum).utf8))
        return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } % 1_000_000_000
    }

    /// What names the running of the system. Where the system does not tell, contents are checked anew by each process.
    private static let boot =
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? UUID().uuidString
}

/// What the system tells of a file.
struct FileInfo {
    struct File: Equatable {
        var device: UInt
        var number: UInt
    }

    let size: Int64
    let file: File
    let accessed: Timestamp
    let modified: Timestamp
    let changed: Timestamp
    let isRegular: Bool

    /// `nil` when there is none; `errno` tells why.
    init?(path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// `nil` when the descriptor cannot be asked; `errno` tells why.
    init?(descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(info)
    }

    private init(_ info: stat) {
        size = Int64(info.st_size)
        file = File(device: UInt(info.st_dev), number: UInt(info.st_ino))
        accessed = Timestamp(info.st_atim)
        modified = Timestamp(info.st_mtim)
        changed = Timestamp(info.st_ctim)
        isRegular = info.st_mode & S_IFMT == S_IFREG
    }
}

struct Timestamp: Comparable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) {
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

/// Files that a process leaves in a folder begin with its number.
enum ProcessName {
    static let own = String(getpid())

    static func isOfDeadProcess(_ name: String) -> Bool {
        guard let process = name.split(separator: "-").first.flatMap({ pid_t($0) }), process > 0 else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
