import CloudKit
import CloudTestSupport
import Testing

@Suite struct `A batch of zone changes` {
    @Test(arguments: CloudSetUp.available)
    func `has one entry for each operation, in order, a zone or an error that says why`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            _ = await user.post("private/zones/modify", JSONText.zone("create", "Old"))
            let long = String(repeating: "z", count: 256)
            let wanted = [
                ("create", "New"), ("create", "Old"), ("delete", "Missing"), ("create", long),
                ("create", "_defaultZone"), ("delete", "_defaultZone"), ("delete", "Old"),
            ]
            let operations = wanted.map { #"{"operationType":"\#($0)","zone":{"zoneID":{"zoneName":"\#($1)"}}}"# }
            let answer = await user.post(
                "private/zones/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
            #expect(answer.status == 200)
            let entries = try JSONText.items("zones", in: answer.body)
            let names = entries.map { ($0["zoneID"] as? [String: Any])?["zoneName"] as? String }
            #expect(names == wanted.map(\.1))
            let codes = entries.map { $0["serverErrorCode"] as? String }
            #expect(codes == [nil, nil, "ZONE_NOT_FOUND", "BAD_REQUEST", nil, "BAD_REQUEST", nil])
            for entry in entries where entry["serverErrorCode"] != nil {
                #expect((entry["reason"] as? String)?.isEmpty == false && entry["uuid"] is String)
            }
            let left = await user.post("private/zones/list")
            let zones = try JSONText.items("zones", in: left.body).map { $0["zoneID"] as? [String: Any] }
            #expect(zones.map { $0?["zoneName"] as? String } == ["_defaultZone", "New"])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `that fails in part tells each zone's result to the app`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let new = CKRecordZone(zoneName: "New")
            let long = CKRecordZone(zoneName: String(repeating: "z", count: 256))
            let missing = CKRecordZone.ID(zoneName: "Missing")
            let results = try await phone.modifyRecordZones(
                saving: [new, CKRecordZone(zoneID: notes), long], deleting: [missing])
            #expect(results.saveResults[new.zoneID]?.isSuccess == true)
            #expect(results.saveResults[notes]?.isSuccess == true)
            #expect(results.saveResults[long.zoneID]?.code == .invalidArguments)
            #expect(results.deleteResults[missing]?.code == .zoneNotFound)
            #expect(Set(try await phone.allRecordZones().map(\.zoneID)) == [.default, notes, new.zoneID])
        }
    }
}
