import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

func makeRecord(in zone: CKRecordZone, folder: CKRecord, photo: URL) -> CKRecord {
    let id = CKRecord.ID(recordName: UUID().uuidString, zoneID: zone.zoneID)
    let record = CKRecord(recordType: "Artwork", recordID: id)
    let type: CKRecord.RecordType = record.recordType
    record["title"] = "MacKerricher State Park" as CKRecordValue
    record["artist"] = "Mei Chen"
    record["count"] = 3
    record["price"] = 4.5 as NSNumber
    record["isSold"] = true
    record["made"] = Date() as NSDate
    record["data"] = Data([1, 2]) as CKRecordValue
    record["tags"] = ["a", "b"]
    record["photo"] = CKAsset(fileURL: photo)
    record["pages"] = [CKAsset(fileURL: photo)]
    record["folder"] = CKRecord.Reference(record: folder, action: .deleteSelf)
    record["other"] = CKRecord.Reference(recordID: folder.recordID, action: CKRecord_Reference_Action.none)
    record.setObject("x" as NSString, forKey: "note")
    record.setValue("y", forKey: "memo")
    record.setParent(folder)
    record.setParent(folder.recordID)
    record.setParent(nil as CKRecord?)
    record.parent = CKRecord.Reference(recordID: folder.recordID, action: .none)
    print(type, CKRecord(recordType: "A"), CKRecord(recordType: "A", zoneID: zone.zoneID), CKRecord.ID())
    return record
}

func read(_ record: CKRecord) {
    let title = record["title"] as? String
    let count = record["count"] as? Int
    let price: Double? = record["price"]
    let made = record.object(forKey: "made") as? Date
    let value: (any CKRecordValueProtocol)? = record["tags"]
    if let photo = record["photo"] as? CKAsset, let url = photo.fileURL { print(url, photo) }
    if let folder = record["folder"] as? CKRecord.Reference {
        print(folder.recordID.zoneID.ownerName, folder.action == .deleteSelf, folder.action.rawValue)
    }
    print(title as Any, count as Any, price as Any, made as Any, value as Any, record.value(forKey: "memo") as Any)
    for (key, value) in record { print(key, value) }
    print(record.allKeys(), record.changedKeys(), record.allTokens())
    print(record.recordChangeTag as Any, record.creationDate as Any, record.modificationDate as Any)
    print(record.creatorUserRecordID as Any, record.lastModifiedUserRecordID as Any)
    print(record.share?.recordID as Any, record.recordID.recordName, record.parent as Any)
    let settings: any CKRecordKeyValueSetting = record
    print(settings["title"] as Any, settings.allKeys())
    var iterator: CKRecordKeyValueIterator = record.makeIterator()
    while let next = iterator.next() { print(next) }
    let keys: [CKRecord.FieldKey] = [
        CKRecord.SystemFieldKey.recordID, CKRecord.SystemFieldKey.creationDate,
        CKRecord.SystemFieldKey.modificationDate,
        CKRecord.SystemFieldKey.creatorUserRecordID, CKRecord.SystemFieldKey.lastModifiedUserRecordID,
        CKRecord.SystemFieldKey.parent, CKRecord.SystemFieldKey.share, CKRecordParentKey, CKRecordShareKey,
    ]
    print(keys, CKRecord.SystemType.userRecord, CKRecord.SystemType.share, CKRecordTypeUserRecord, CKRecordTypeShare)
    print(CKRecordNameZoneWideShare, CKRecord.ReferenceAction(rawValue: 1) as Any)
    let action: CKRecord.Reference.Action = .none
    print(action)
}

/// Keeps what the service knows of a record beside the app's own data.
func systemFields(of record: CKRecord) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    record.encodeSystemFields(with: archiver)
    return archiver.encodedData
}

func record(from data: Data) throws -> CKRecord? {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    return CKRecord(coder: unarchiver)
}

func archives(_ record: CKRecord, _ token: CKServerChangeToken) throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
    record.encode(with: NSKeyedArchiver(requiringSecureCoding: true))
    print(back as Any, record.copy() as! CKRecord, CKRecord.supportsSecureCoding)
}

/// What initialisers that cannot fail read.
func objects(from coder: NSCoder) -> [NSObject] {
    [
        CKQuery(coder: coder), CKShare(coder: coder), CKDatabaseSubscription(coder: coder),
        CKQuerySubscription(coder: coder), CKRecordZoneSubscription(coder: coder),
        CKLocationSortDescriptor(coder: coder),
    ]
}
