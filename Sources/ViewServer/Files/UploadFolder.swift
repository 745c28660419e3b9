import CloudCrypto
import Glibc
import Synchronization

/// The temporary files that people brought along. They are removed with the window that they were brought to: an app that is to
/// keep one copies it.
final class UploadFolder: Sendable {
    private let root: String
    private let state = Mutex<(made: Set<String>, number: Int)>(([], 0))

    init() {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        root = "\(temporary)/cumulet-view-\(getpid())-\(Hexadecimal.text(Crypto.random(4)))"
    }

    /// A new folder for the files of one drop.
    func make(of window: String) throws(Refusal) -> String {
        let folder = state.withLock { state in
            state.made.insert(window)
            state.number += 1
            return "\(root)/\(window)/\(state.number)"
        }
        for path in [root, "\(root)/\(window)", folder] where mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw Refusal(500, "there is no place for files: \(String(cString: strerror(errno)))")
        }
        return folder
    }

    func remove(of window: String) {
        guard state.withLock({ $0.made.remove(window) != nil }) else { return }
        Self.remove("\(root)/\(window)")
    }

    func remove() {
        for window in state.withLock({ $0.made }) { remove(of: window) }
        rmdir(root)
    }

    /// Removes a folder of files and folders; nothing in it is a link, as all of it was made here.
    static func remove(_ path: String) {
        guard let folder = opendir(path) else { return }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        closedir(folder)
        for name in names where name != "." && name != ".." {
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }
}
