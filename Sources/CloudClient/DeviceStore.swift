package import Foundation
import Glibc
import Synchronization

/// Where a device lives: a folder with `device.json` and the push cursors of its apps, or memory only.
///
/// Files are replaced whole (written aside, flushed, renamed) and readable by their owner only, because they hold
/// secrets. Another process may sign the device in or out: reading ``settings`` notices a replaced file.
package final class DeviceStore: Sendable {
    private struct State {
        var settings: DeviceSettings?
        var fileMark: FileMark?
        /// Why the file that is there cannot be read.
        var problem: DeviceStoreError?
        var cursors: [String: PushCursor] = [:]
    }

    private struct FileMark: Equatable {
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int
        var size: Int64
    }

    package let folder: URL?
    private let state: Mutex<State>

    /// A device kept in a folder, which is made on the first write.
    package init(folder: URL) {
        self.folder = folder
        state = Mutex(State())
    }

    /// A device that lives as long as this object.
    package init(inMemory settings: DeviceSettings = DeviceSettings()) {
        folder = nil
        state = Mutex(State(settings: settings))
    }

    /// `CUMULET_DEVICE`, else `cumulet` in the XDG configuration folder.
    package static func defaultFolder(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        if let path = environment["CUMULET_DEVICE"], !path.isEmpty {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") {
            return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("cumulet", isDirectory: true)
        }
        return URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
            .appendingPathComponent(".config/cumulet", isDirectory: true)
    }

    /// The settings as they are now. A device without a file gets an identifier of its own, kept when the folder
    /// allows it. A file that cannot be read is left as it is: see ``problem``.
    package var settings: DeviceSettings { state.withLock { current(&$0) } }

    /// Why the device's file cannot be read, if it is there and cannot.
    package var problem: DeviceStoreError? {
        state.withLock { state in
            _ = current(&state)
            return state.problem
        }
    }

    /// Changes the settings and keeps them.
    /// - Throws: ``DeviceStoreError`` when the file cannot be written, or cannot be read and would be lost; then
    ///   nothing has changed.
    package func update(_ change: (inout DeviceSettings) -> Void) throws {
        try state.withLock { state in
            var settings = current(&state)
            if let problem = state.problem { throw problem }
            change(&settings)
            try write(settings, named: Self.fileName)
            state.settings = settings
            state.fileMark = mark(of: Self.fileName)
        }
    }

    package func pushCursor(of app: String) -> PushCursor? {
        state.withLock { state in
            if folder == nil { return state.cursors[app] }
            // A damaged cursor is as none: listening starts from now, and the change tokens tell what was missed.
            return try? read(PushCursor.self, named: Self.cursorName(app))
        }
    }

    package func setPushCursor(_ cursor: PushCursor, of app: String) throws {
        try state.withLock { state in
            state.cursors[app] = cursor
            try write(cursor, named: Self.cursorName(app))
        }
    }

    // MARK: - Files

    private static let fileName = "device.json"

    private static func cursorName(_ app: String) -> String {
        let safe = app.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "."
                ? String(scalar) : "_"
        }
        return "push-" + safe.joined() + ".json"
    }

    private func current(_ state: inout State) -> DeviceSettings {
        let mark = mark(of: Self.fileName)
        if let mark, mark != state.fileMark || state.settings == nil {
            do {
                state.settings = try read(DeviceSettings.self, named: Self.fileName)
                state.fileMark = mark
                state.problem = nil
            } catch {
                state.problem = error
            }
        } else if mark == nil {
            state.problem = nil
        }
        if let settings = state.settings { return settings }
        let fresh = DeviceSettings()
        state.settings = fresh
        // Where the folder cannot be written, the identity lasts as long as the process; signing in will say why.
        if mark == nil, (try? write(fresh, named: Self.fileName)) != nil {
            state.fileMark = self.mark(of: Self.fileName)
        }
        return fresh
    }

    private func mark(of name: String) -> FileMark? {
        guard let folder else { return nil }
        var info = stat()
        guard stat(folder.appendingPathComponent(name).path, &info) == 0 else { return nil }
        return FileMark(
            inode: UInt64(info.st_ino), seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec,
            size: Int64(info.st_size))
    }

    private func read<Value: Decodable>(
        _ type: Value.Type, named name: String
    ) throws(DeviceStoreError) -> Value? {
        guard let folder else { return nil }
        let file = folder.appendingPathComponent(name)
        guard mark(of: name) != nil else { return nil }
        do {
            return try JSONDecoder().decode(type, from: Data(contentsOf: file))
        } catch let error as DecodingError {
            throw DeviceStoreError(path: file.path, reason: "the file is damaged (\(error)); repair or remove it")
        } catch {
            throw DeviceStoreError(path: file.path, reason: "the file cannot be read: \(error.localizedDescription)")
        }
    }

    private func write<Value: Encodable>(_ value: Value, named name: String) throws {
        guard let folder else { return }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DeviceStoreError(path: folder.path, reason: "the folder cannot be made: \(error)")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(value))
        let path = folder.appendingPathComponent(name).path
        let aside = path + ".\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
        try Self.create(aside, bytes)
        guard rename(aside, path) == 0 else {
            let code = errno
            unlink(aside)
            throw DeviceStoreError(path: path, reason: String(cString: strerror(code)))
        }
    }

    private static func create(_ path: String, _ bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw DeviceStoreError(path: path, reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                unlink(path)
                throw DeviceStoreError(path: path, reason: String(cString: strerror(code)))
            }
            done += count
        }
        guard fsync(file) == 0 else { throw DeviceStoreError(path: path, reason: String(cString: strerror(errno))) }
    }
}

/// Why a device's file could not be read or written.
package struct DeviceStoreError: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String
    package var description: String { "\(path): \(reason)" }
}
