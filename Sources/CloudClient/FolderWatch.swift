import Dispatch
package import Foundation
import Glibc

/// Tells when a file of a folder has been replaced, written or removed, by whatever process, as long as it lives.
///
/// One descriptor and one dispatch source; nothing runs while nothing happens. A folder that is removed and made again
/// is watched no more.
package final class FolderWatch: Sendable {
    // A dispatch source may be used from any thread; its type does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// - Parameter changed: Called on a background queue, once for changes that come together.
    /// - Returns: `nil` when the folder is not there or cannot be watched.
    package init?(_ folder: URL, changed: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE)
        guard inotify_add_watch(descriptor, folder.path, events) >= 0 else {
            close(descriptor)
            return nil
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "cumulet.folder"))
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }
}
