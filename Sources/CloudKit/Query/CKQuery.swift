public import Foundation
import Synchronization

/// What to look for: a record type, a predicate, and an order.
///
/// Unchecked: the type and the predicate are constants (`NSPredicate` does not change once made), and the sort
/// descriptors, which do not change either, are swapped behind a lock.
public class CKQuery: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public let recordType: CKRecord.RecordType
    public let predicate: NSPredicate
    private let lock = Mutex(())
    private var sorts: [NSSortDescriptor]?

    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        self.recordType = recordType
        self.predicate = predicate
    }

    public var sortDescriptors: [NSSortDescriptor]? {
        get { lock.withLock { _ in sorts } }
        set { lock.withLock { _ in sorts = newValue } }
    }

    public static var supportsSecureCoding: Bool { true }

    /// From an archive that holds none the coder gets an error, as far as its policy is to return errors, and the query has no
    /// record type: to run it is refused.
    public required convenience init(coder: NSCoder) {
        guard let type = coder.string("RecordType"), let data = coder.data("Predicate"),
            let parsed = try? PropertyListDecoder().decode(ParsedPredicate.self, from: data)
        else {
            coder.fail("Query")
            self.init(recordType: "", predicate: NSPredicate(value: false))
            return
        }
        self.init(recordType: type, predicate: NSPredicate(parsed: parsed))
        guard let orders = coder.data("Sorts"),
            let sorts = try? PropertyListDecoder().decode([SortOrder].self, from: orders)
        else { return }
        sortDescriptors = sorts.map(\.descriptor)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(recordType as NSString, forKey: "RecordType")
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        if let data = try? encoder.encode(ParsedPredicate(predicate)) {
            coder.encode(data as NSData, forKey: "Predicate")
        }
        let orders = sortDescriptors?.compactMap(SortOrder.init)
        if let orders, let data = try? encoder.encode(orders) { coder.encode(data as NSData, forKey: "Sorts") }
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuery(recordType: recordType, predicate: predicate)
        copy.sortDescriptors = sortDescriptors
        return copy
    }
}
