import SwiftUI
import UniformTypeIdentifiers

/// A picture that somebody chose or dropped, in a file of the app's own until it is discarded.
struct PickedPhoto: Transferable, Equatable {
    let file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .image) { received in
            let own = FileManager.default.temporaryDirectory
                .appendingPathComponent("photo-\(UUID().uuidString)")
                .appendingPathExtension(received.file.pathExtension)
            try FileManager.default.copyItem(at: received.file, to: own)
            return PickedPhoto(file: own)
        }
    }

    /// Removes the file. One that cannot be removed lies where the system clears up.
    func discard() { try? FileManager.default.removeItem(at: file) }
}
