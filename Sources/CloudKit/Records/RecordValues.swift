@_exported public import Foundation

/// A value that a field of a record can hold.
public protocol CKRecordValueProtocol {}

/// The classes that a record takes from Objective-C; here also the Swift types that bridge to them.
public protocol __CKRecordObjCValue: CKRecordValueProtocol {}

public typealias CKRecordValue = __CKRecordObjCValue

extension String: __CKRecordObjCValue {}
extension Bool: __CKRecordObjCValue {}
extension Int: __CKRecordObjCValue {}
extension Int8: __CKRecordObjCValue {}
extension Int16: __CKRecordObjCValue {}
extension Int32: __CKRecordObjCValue {}
extension Int64: __CKRecordObjCValue {}
extension UInt: __CKRecordObjCValue {}
extension UInt8: __CKRecordObjCValue {}
extension UInt16: __CKRecordObjCValue {}
extension UInt32: __CKRecordObjCValue {}
extension UInt64: __CKRecordObjCValue {}
extension Double: __CKRecordObjCValue {}
extension Float: __CKRecordObjCValue {}
extension Date: __CKRecordObjCValue {}
extension Data: __CKRecordObjCValue {}
extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {}
extension Array: __CKRecordObjCValue where Element: CKRecordValueProtocol {}
extension NSString: __CKRecordObjCValue {}
extension NSNumber: __CKRecordObjCValue {}
extension NSDate: __CKRecordObjCValue {}
extension NSData: __CKRecordObjCValue {}
extension NSArray: __CKRecordObjCValue {}

/// A set of fields with change tracking.
public protocol CKRecordKeyValueSetting: NSObjectProtocol {
    func object(forKey key: String) -> (any __CKRecordObjCValue)?
    func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: String)
    subscript(key: String) -> (any __CKRecordObjCValue)? { get set }
    func allKeys() -> [String]
    func changedKeys() -> [String]
}

extension CKRecordKeyValueSetting {
    @_disfavoredOverload
    public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
        get { object(forKey: key) }
        set { setObject(newValue.map { StoredValue.objCValue($0) }, forKey: key) }
    }

    public subscript<T: CKRecordValueProtocol>(key: CKRecord.FieldKey) -> T? {
        get { object(forKey: key) as? T }
        set {
            let value: (any CKRecordValueProtocol)? = newValue
            setObject(value.map { StoredValue.objCValue($0) }, forKey: key)
        }
    }
}

/// Walks the fields of a record.
public struct CKRecordKeyValueIterator: IteratorProtocol {
    var fields: Dictionary<CKRecord.FieldKey, StoredValue>.Iterator

    public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
        fields.next().map { ($0.key, $0.value.object) }
    }
}
