public import Foundation

/// A place in the history of a database or of a zone. Opaque; may be kept on disk.
///
/// Unchecked: its only stored property is a constant string.
public class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The service's sync token.
    let encoded: String

    init(_ encoded: String) {
        self.encoded = encoded
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let token = coder.string("SyncToken") else { return nil }
        self.init(token)
    }

    public func encode(with coder: NSCoder) { coder.encode(encoded as NSString, forKey: "SyncToken") }
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKServerChangeToken)?.encoded == encoded }
    public override var hash: Int { encoded.hashValue }
}
