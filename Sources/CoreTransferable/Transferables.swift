public import Foundation
import UniformTypeIdentifiers

/// The bytes of whatever comes.
extension Data: Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .data) { $0 }
    }
}

/// Text in UTF-8.
extension String: Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .text) { data in
            guard let text = String(data: data, encoding: .utf8) else {
                throw CocoaError(.fileReadInapplicableStringEncoding)
            }
            return text
        }
    }
}

/// The file that comes, as long as it is there.
extension URL: Transferable {
    public static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .data) { $0.file }
    }
}
