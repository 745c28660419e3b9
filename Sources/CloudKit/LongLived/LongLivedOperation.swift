import CloudClient
import CloudCore
import Foundation
import Synchronization

/// An operation that a device keeps until it has ended, so that a later process can go on with it.
protocol LongLivedOperation: CKDatabaseOperation {
    /// What tells the operation apart from others in an archive.
    static var kind: String { get }

    /// What the operation is to do.
    func encodeInputs(with coder: NSCoder) throws
    func decodeInputs(with coder: NSCoder) throws
}

/// The kinds that can be kept.
enum LongLivedKinds {
    static func make(_ kind: String) -> (any LongLivedOperation)? {
        switch kind {
        case CKModifyRecordsOperation.kind: CKModifyRecordsOperation()
        case CKFetchRecordsOperation.kind: CKFetchRecordsOperation()
        default: nil
        }
    }
}

extension LongLivedOperation {
    /// The operation as the device keeps it.
    func entry() throws -> OperationStore.Entry {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(target.scope.rawValue, forKey: "scope")
        archiver.encode(configuration.qualityOfService.rawValue, forKey: "qualityOfService")
        archiver.encode(callOptions.allowsCellularAccess, forKey: "allowsCellularAccess")
        archiver.encode(callOptions.timeoutIntervalForRequest, forKey: "timeoutIntervalForRequest")
        if callOptions.timeoutIntervalForResource.isFinite {
            archiver.encode(callOptions.timeoutIntervalForResource, forKey: "timeoutIntervalForResource")
        }
        try encodeInputs(with: archiver)
        archiver.finishEncoding()
        return OperationStore.Entry(
            id: operationID, container: target.context.container.rawValue,
            account: target.context.device.store.settings.accountHash,
            started: Date(), kind: Self.kind, content: archiver.encodedData)
    }

    /// Becomes the operation that was kept.
    func resume(_ entry: OperationStore.Entry, in context: CloudContext) throws {
        let coder = try NSKeyedUnarchiver(forReadingFrom: entry.content)
        coder.requiresSecureCoding = true
        defer { coder.finishDecoding() }
        let container = CKContainer(context: context)
        let scope = CKDatabase.Scope(rawValue: coder.decodeInteger(forKey: "scope")) ?? .private
        database = container.database(with: scope)
        let configuration = CKOperation.Configuration()
        configuration.container = container
        configuration.isLongLived = true
        configuration.qualityOfService =
            QualityOfService(rawValue: coder.decodeInteger(forKey: "qualityOfService")) ?? .default
        if coder.containsValue(forKey: "allowsCellularAccess") {
            configuration.allowsCellularAccess = coder.decodeBool(forKey: "allowsCellularAccess")
        }
        configuration.timeoutIntervalForRequest = coder.decodeDouble(forKey: "timeoutIntervalForRequest")
        if coder.containsValue(forKey: "timeoutIntervalForResource") {
            configuration.timeoutIntervalForResource = coder.decodeDouble(forKey: "timeoutIntervalForResource")
        }
        self.configuration = configuration
        try decodeInputs(with: coder)
        identify(as: entry.id)
    }
}

extension CloudDevice {
    /// Keeps an operation until it has ended.
    /// - Returns: Whether it is one that can be kept.
    package func keep(_ operation: CKDatabaseOperation) throws -> Bool {
        guard let operation = operation as? any LongLivedOperation else { return false }
        try operations.save(try operation.entry())
        return true
    }
}

/// The long-lived operations that this process runs.
final class RunningOperations: Sendable {
    static let shared = RunningOperations()
    private let running = Mutex<[CKOperation.ID: CKOperation]>([:])

    func add(_ operation: CKOperation) { running.withLock { $0[operation.operationID] = operation } }
    func remove(_ id: CKOperation.ID) { running.withLock { $0[id] = nil } }
    subscript(id: CKOperation.ID) -> CKOperation? { running.withLock { $0[id] } }
}

extension NSCoder {
    /// Keeps objects of one class as one archive, so that each is checked when it is read.
    func encode(objects: [any NSCoding & NSObject]?, _ key: String) throws {
        guard let objects else { return }
        let parts = try objects.map {
            try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
        }
        encode(try PropertyListEncoder().encode(parts) as NSData, forKey: key)
    }

    /// Records, shares among them.
    func records(_ key: String) throws -> [CKRecord]? {
        guard let data = data(key) else { return nil }
        return try PropertyListDecoder().decode([Data].self, from: data).map { part in
            let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [CKRecord.self, CKShare.self], from: part)
            guard let record = object as? CKRecord else {
                throw CKError(.internalError, reason: "the kept operation cannot be read")
            }
            return record
        }
    }

    func objects<Object: NSObject & NSSecureCoding>(of type: Object.Type, _ key: String) throws -> [Object]? {
        guard let data = data(key) else { return nil }
        return try PropertyListDecoder().decode([Data].self, from: data).map { part in
            guard let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: part) else {
                throw CKError(.internalError, reason: "the kept operation cannot be read")
            }
            return object
        }
    }
}
