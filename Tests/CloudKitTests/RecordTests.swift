import CloudCore
import Foundation
import Testing

@testable import CloudKit

@Suite struct RecordTests {
    @Test func `a value reads back by its own type and by the types it bridges to`() {
        let record = CKRecord(recordType: "Recipe")
        record["title"] = "bread" as any CKRecordValue
        record["rating"] = 4
        record["ratio"] = 0.5
        record["isNew"] = true
        record["wide"] = Int64(7)
        let end: Date? = nil
        record["end"] = end
        record["tags"] = ["a", "b"]
        record["sizes"] = [1, 2]
        record["start"] = Date.distantPast
        #expect(record["title"] as? String == "bread")
        #expect(record["title"] as? NSString == "bread")
        #expect(record["rating"] as? Int == 4)
        #expect(record["rating"] as? Int64 == 4)
        #expect(record["rating"] as? Double == 4)
        #expect(record["ratio"] as? Double == 0.5)
        #expect(record["isNew"] as? Bool == true)
        #expect(record["wide"] as? Int == 7)
        #expect(record["end"] as? Date == nil)
        #expect(record["tags"] as? [String] == ["a", "b"])
        #expect(record["sizes"] as? [Int] == [1, 2])
        #expect(record["sizes"] as? [Int64] == [1, 2])
        #expect(record["start"] as? Date == Date.distantPast)
        let generic: Int? = record["rating"]
        #expect(generic == 4)
        let title: String? = record["title"]
        #expect(title == "bread")
        let sizes: [Int]? = record["sizes"]
        #expect(sizes == [1, 2])
        if let text = record["title"] as? String { #expect(text == "bread") }
        record["title"] = nil
        #expect(record.object(forKey: "title") == nil)
        #expect(!record.allKeys().contains("title"))
        record.setObject("x" as NSString, forKey: "title")
        #expect(record["title"] as? String == "x")
        record.setObject("y" as any CKRecordValue, forKey: "title")
        let any: (any CKRecordValueProtocol)? = record["title"]
        record["copy"] = any
        record["optional"] = Optional(3) as (any CKRecordValue)?
        #expect(record["optional"] as? Int == 3)
    }

    @Test func `changed keys are those set since the record was made, fetched or saved`() {
        let record = CKRecord(record: fetched, Viewpoint(scope: .private))
        #expect(record.changedKeys().isEmpty)
        record["n"] = 1
        record["title"] = nil
        #expect(Set(record.changedKeys()) == ["n", "title"])
        let copy = record.copy() as? CKRecord
        #expect(Set(copy?.changedKeys() ?? []) == ["n", "title"])
        copy?["n"] = 9
        #expect(record["n"] as? Int == 1)
        #expect(record.parentDraft == nil)
        record.setParent(CKRecord.ID(recordName: "p", zoneID: record.recordID.zoneID))
        #expect(record.parentDraft == .some("p"))
        record.setParent(nil as CKRecord.ID?)
        #expect(record.parentDraft == .some(nil))
    }

    @Test func `a saved record is as the service answered, with what was set since`() throws {
        let record = CKRecord(record: fetched, Viewpoint(scope: .private))
        record["n"] = 5
        record["title"] = "stew"
        _ = try record.draft(record.changedKeys()).fields
        record["n"] = 6
        var saved = fetched
        saved.changeTag = "t2"
        saved.fields["n"] = .int64(5)
        saved.fields["title"] = .string("stew")
        record.adopt(CKRecord(record: saved, Viewpoint(scope: .private)))
        #expect(record.recordChangeTag == "t2")
        #expect(record["n"] as? Int == 6)
        #expect(record["title"] as? String == "stew")
        #expect(record.changedKeys() == ["n"])
        #expect(record.ancestor["n"] as? Int == 5)
    }

    @Test func `the service's record shows zones of one's own under the placeholder`() {
        let record = CKRecord(record: fetched, Viewpoint(scope: .private, currentUser: "_me"))
        #expect(record.recordID.zoneID == CKRecordZone.ID(zoneName: "Notes"))
        #expect(record.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
        #expect(record.creationDate == Date(timeIntervalSince1970: 1))
        #expect((record["folder"] as? CKRecord.Reference)?.recordID.zoneID == record.recordID.zoneID)
        #expect(record.parent?.recordID.recordName == "f1")
        #expect(CKRecord(record: fetched, Viewpoint(scope: .shared)).recordID.zoneID.ownerName == "_me")
    }

    @Test func `what a record holds is what the service kept`() throws {
        let record = CKRecord(record: fetched, Viewpoint(scope: .private))
        let drafts = try record.draft(record.allKeys()).fields
        #expect(Dictionary(uniqueKeysWithValues: drafts.map { ($0.name, $0.value) }) == fetched.fields)
        record["title"] = nil
        #expect(try record.draft(["title"]).fields == [FieldDraft(name: "title", value: nil, isTyped: true)])
        record["mixed"] = [1, 0.5] as [Double]
        record["numbers"] = NSArray(array: [1, 0.5])
        #expect(
            try record.draft(["numbers"]).fields.first?.value == .list(.double, [.double(1), .double(0.5)]))
        record["empty"] = [String]()
        #expect(try record.draft(["empty"]).fields.first?.value == .list(nil, []))
    }

    @Test func `a bad name or value is refused at the save, with the reason`() {
        let named = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "_x"))
        #expect(throws: CKError.self) { try named.checkNames() }
        #expect(throws: CKError.self) { try CKRecord(recordType: "").checkNames() }
        let long = CKRecord.ID(recordName: String(repeating: "x", count: 300))
        let error = #expect(throws: CKError.self) { try CKRecord(recordType: "Note", recordID: long).checkNames() }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains("300") == true)
        #expect(throws: CKError.self) { try CKRecordZone.ID(zoneName: "_mine").checkName() }
        let record = CKRecord(recordType: "Note")
        record["bad key"] = 1
        #expect(throws: CKError.self) { try record.draft(["bad key"]).fields }
        record["huge"] = UInt64.max
        #expect(throws: CKError.self) { try record.draft(["huge"]).fields }
        record["list"] = NSArray(array: [1, "a"])
        #expect(throws: CKError.self) { try record.draft(["list"]).fields }
        record["link"] = NSArray(array: [URL(fileURLWithPath: "/")])
        let refused = #expect(throws: CKError.self) { try record.draft(["link"]).fields }
        #expect(refused?.localizedDescription.contains("URL") == true)
    }

    @Test func `names compare byte for byte`() {
        let composed = CKRecord.ID(recordName: "\u{E9}")
        let decomposed = CKRecord.ID(recordName: "e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(CKRecordZone.ID(zoneName: "\u{E9}") != CKRecordZone.ID(zoneName: "e\u{301}"))
    }

    @Test func `system fields survive a keyed archive without values or changes`() throws {
        let record = CKRecord(record: fetched, Viewpoint(scope: .private))
        record["n"] = 5
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        let back = try #require(CKRecord(coder: unarchiver))
        #expect(back.recordID == record.recordID)
        #expect(back.recordType == "Note")
        #expect(back.recordChangeTag == "t1")
        #expect(back.modificationDate == record.modificationDate)
        #expect(back.parent == record.parent)
        #expect(back.allKeys().isEmpty)
        #expect(back.changedKeys().isEmpty)
        #expect(back.parentDraft == nil)
        #expect(try back.draft(back.changedKeys()).fields.isEmpty)
    }

    @Test func `an archive of another make gives no record`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("Note" as NSString, forKey: "RecordType")
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        #expect(CKRecord(coder: unarchiver) == nil)
    }

    @Test func `a whole record, IDs, zones and tokens survive a keyed archive`() throws {
        func roundTrip<T: NSObject & NSSecureCoding>(_ object: T) throws -> T? {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            return try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data)
        }
        let record = CKRecord(record: fetched, Viewpoint(scope: .private))
        record["n"] = 5
        record["exact"] = Date(timeIntervalSinceReferenceDate: 1.000_000_1)
        record["infinite"] = Double.infinity
        let back = try #require(try roundTrip(record))
        #expect(back["n"] as? Int == 5)
        #expect(back["exact"] as? Date == record["exact"] as? Date)
        #expect(back["infinite"] as? Double == .infinity)
        #expect(back["folder"] as? CKRecord.Reference == record["folder"] as? CKRecord.Reference)
        #expect(Set(back.changedKeys()) == ["n", "exact", "infinite"])
        #expect(back.ancestor["n"] as? Int == 4)
        #expect(try roundTrip(record.recordID) == record.recordID)
        #expect(try roundTrip(record.recordID.zoneID) == record.recordID.zoneID)
        let reference = CKRecord.Reference(record: record, action: .deleteSelf)
        #expect(try roundTrip(reference) == reference)
        #expect(try roundTrip(CKRecordZone(zoneName: "Notes")) == CKRecordZone(zoneName: "Notes"))
        #expect(try roundTrip(CKServerChangeToken("abc"))?.encoded == "abc")
    }

    @Test func `a record is a sequence of its fields`() {
        let record = CKRecord(recordType: "Note")
        record["a"] = 1
        record["b"] = "x"
        var seen: [String] = []
        for (key, _) in record { seen.append(key) }
        #expect(seen.sorted() == ["a", "b"])
    }
}

private let fetched: Record = {
    let zone = ZoneID(name: "Notes", owner: "_me")
    let stamp = RecordStamp(timestamp: 1000, userRecordName: "_me", deviceID: "d")
    return Record(
        id: RecordID(name: "r1", zone: zone), type: "Note", changeTag: "t1",
        fields: [
            "title": .string("soup"), "n": .int64(4), "x": .double(2), "day": .timestamp(1_700_000_000_123),
            "data": .bytes([1, 2]), "folder": .reference(Reference(recordName: "f1", action: .deleteSelf)),
            "tags": .list(.string, [.string("a")]), "sizes": .list(.int64, [.int64(1)]),
        ], parent: "f1", created: stamp, modified: stamp)
}()
