public import Foundation

/// Operations that belong together. Grouping gives them a common configuration and has no transactional effect; the
/// service is not told of it, so the name, the quantity and the sizes are for the app itself.
///
/// Unchecked: mutable by nature, as Apple's is; it is set up before the operations that carry it start.
open class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
    public enum TransferSize: Int, Hashable, Sendable {
        case unknown = 0
        case kilobytes
        case megabytes
        case tensOfMegabytes
        case hundredsOfMegabytes
        case gigabytes
        case tensOfGigabytes
        case hundredsOfGigabytes
    }

    public let operationGroupID: String
    private(set) var defaults = CKOperation.Configuration()
    open var name: String?
    open var quantity = 0
    open var expectedSendSize: TransferSize = .unknown
    open var expectedReceiveSize: TransferSize = .unknown

    public override init() {
        operationGroupID = UUID().uuidString
        super.init()
    }

    /// Supplies what an operation's own configuration does not set. A copy, as that of an operation.
    open var defaultConfiguration: CKOperation.Configuration! {
        get { defaults.duplicate() }
        set { defaults = newValue?.duplicate() ?? CKOperation.Configuration() }
    }

    // MARK: - Coding

    public static var supportsSecureCoding: Bool { true }

    public required init(coder aDecoder: NSCoder) {
        operationGroupID =
            aDecoder.object(NSString.self, "operationGroupID").map { "\($0)" } ?? UUID().uuidString
        super.init()
        name = aDecoder.object(NSString.self, "name").map { "\($0)" }
        quantity = aDecoder.decodeInteger(forKey: "quantity")
        expectedSendSize = TransferSize(rawValue: aDecoder.decodeInteger(forKey: "expectedSendSize")) ?? .unknown
        expectedReceiveSize = TransferSize(rawValue: aDecoder.decodeInteger(forKey: "expectedReceiveSize")) ?? .unknown
    }

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: operationGroupID), forKey: "operationGroupID")
        if let name { coder.encode(NSString(string: name), forKey: "name") }
        coder.encode(quantity, forKey: "quantity")
        coder.encode(expectedSendSize.rawValue, forKey: "expectedSendSize")
        coder.encode(expectedReceiveSize.rawValue, forKey: "expectedReceiveSize")
    }
}
