import CloudCore
import CoreLocation
import Foundation

/// A field's value as a record keeps it: copied, immutable, numbers as `NSNumber`.
enum StoredValue: Hashable, Sendable {
    case string(String)
    case number(NSNumber)
    case date(Date)
    case data(Data)
    case reference(CKRecord.Reference)
    case location(Location)
    case asset(CKAsset)
    case list([StoredValue])
    /// A value of a type no field can hold; kept by its type's name and refused when the record is saved.
    case unsupported(String)

    init(_ value: Any) {
        switch value {
        // A decimal's own double is not the nearest one.
        case let value as NSDecimalNumber: self = .number(NSNumber(value: Double(value.stringValue) ?? .nan))
        case let value as NSNumber: self = .number(value)
        case let value as String: self = .string(value)
        case let value as NSString: self = .string(String(value))
        case let value as Date: self = .date(value)
        case let value as NSDate:
            self = .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
        case let value as Data: self = .data(value)
        case let value as NSData: self = .data(Data(value))
        case let value as CKRecord.Reference: self = .reference(value)
        case let value as Bool: self = .number(NSNumber(value: value))
        case let value as any BinaryInteger: self = Self.integer(value)
        case let value as Double: self = .number(NSNumber(value: value))
        case let value as Float: self = .number(NSNumber(value: value))
        case let value as [Any]: self = .list(value.map { StoredValue($0) })
        case let value as NSArray: self = .list(value.map { StoredValue($0) })
        case let value as NSSet: self = .list(value.map { StoredValue($0) })
        case let value as CLLocation: self = .location(Location(value))
        case let value as CKAsset: self = .asset(value)
        case let value as UnsupportedValue: self = .unsupported(value.typeName)
        default: self = .unsupported("\(type(of: value))")
        }
    }

    private static func integer(_ value: any BinaryInteger) -> StoredValue {
        if let exact = Int64(exactly: value) { return .number(NSNumber(value: exact)) }
        if let exact = UInt64(exactly: value) { return .number(NSNumber(value: exact)) }
        return .unsupported("\(type(of: value))")
    }

    /// The value as an app reads it.
    var object: any __CKRecordObjCValue {
        switch self {
        case .string(let value): return value
        case .number(let value): return value
        case .date(let value): return value
        case .data(let value): return value
        case .reference(let value): return value
        case .location(let value): return CLLocation(value)
        case .asset(let value): return value
        case .unsupported(let name): return UnsupportedValue(typeName: name)
        case .list(let values):
            if let texts = Self.all(values, { if case .string(let value) = $0 { value } else { nil } }) { return texts }
            if let numbers = Self.all(values, { if case .number(let value) = $0 { value } else { nil } }) {
                return numbers
            }
            if let dates = Self.all(values, { if case .date(let value) = $0 { value } else { nil } }) { return dates }
            if let data = Self.all(values, { if case .data(let value) = $0 { value } else { nil } }) { return data }
            if let references = Self.all(values, { if case .reference(let value) = $0 { value } else { nil } }) {
                return references
            }
            if let places = Self.all(values, { if case .location(let value) = $0 { CLLocation(value) } else { nil } }) {
                return places
            }
            if let assets = Self.all(values, { if case .asset(let value) = $0 { value } else { nil } }) {
                return assets
            }
            return NSArray(array: values.map(\.object))
        }
    }

    private static func all<T>(_ values: [StoredValue], _ part: (StoredValue) -> T?) -> [T]? {
        var result: [T] = []
        for value in values {
            guard let element = part(value) else { return nil }
            result.append(element)
        }
        return result
    }

    static func objCValue(_ value: any CKRecordValueProtocol) -> any __CKRecordObjCValue {
        (value as? any __CKRecordObjCValue) ?? StoredValue(value).object
    }
}

/// Stands for a value that cannot be kept, so that the save can name its type.
struct UnsupportedValue: __CKRecordObjCValue {
    let typeName: String
}
