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
}
