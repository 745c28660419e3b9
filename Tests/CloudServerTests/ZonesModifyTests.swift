import CloudTestSupport
import Foundation
import Testing

@Suite struct ZonesModifyTests {
    @Test func `each operation has its own entry in order, and the good ones are stored`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/zones/modify", Bodies.zone("create", "Known"))
        let long = String(repeating: "z", count: 256)
        let operations = [
            ("create", "New"), ("create", "Known"), ("delete", "Missing"), ("create", long), ("create", "_defaultZone"),
            ("delete", "_defaultZone"), ("create", "Last"),
        ].map { #"{"operationType":"\#($0.0)","zone":{"zoneID":{"zoneName":"\#($0.1)"}}}"# }
        let answer = await user.post(
            "private/zones/modify", "{\"operations\":[\(operations.joined(separator: ","))]}")
        #expect(answer.status == 200)
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        let zones = try #require(object?["zones"] as? [[String: Any]])
        let names = zones.map { ($0["zoneID"] as? [String: Any])?["zoneName"] as? String }
        #expect(names == ["New", "Known", "Missing", long, "_defaultZone", "_defaultZone", "Last"])
        let owners = zones.map { ($0["zoneID"] as? [String: Any])?["ownerRecordName"] as? String }
        #expect(owners.allSatisfy { $0 == user.name })
        #expect(
            zones.map { $0["serverErrorCode"] as? String } == [
                nil, nil, "ZONE_NOT_FOUND", "BAD_REQUEST", nil, "BAD_REQUEST", nil,
            ])
        let reasons = zones.map { $0["reason"] as? String }
        #expect(reasons[2]?.contains("Zone 'Missing'") == true)
        #expect(reasons[3] == "zone name has 256 characters; at most 255 are allowed")
        #expect(reasons[5] == "the default zone cannot be deleted")
        for zone in zones where zone["serverErrorCode"] != nil { #expect(zone["uuid"] is String) }
        for zone in zones where zone["serverErrorCode"] == nil { #expect(zone["atomic"] is Bool) }
        let listed = await user.post("private/zones/list").body
        for name in ["New", "Known", "Last"] { #expect(listed.contains(#""zoneName":"\#(name)""#)) }
        #expect(!listed.contains(long))
        await cloud.close()
    }
}
