import CloudCore
import CloudTestSupport
import HTTPCore
import Testing

/// The URLs of assets that a participant was given while he took part.
@Suite struct `The URL of a shared asset` {
    private enum End: CaseIterable { case left, removed, stopped }

    @Test(arguments: End.allCases) private func `is good for as long as the part in the share, no longer`(end: End)
        async throws
    {
        let here = try await SharedCloud()
        let anna = AssetClient(user: here.anna, zone: "Notes")
        let bytes = Array("a photo".utf8)
        let value = try await anna.upload(bytes, for: "root", type: "Note")
        #expect(await anna.save("root", value, type: "Note").status == 200)
        let share = try await here.share(#""publicPermission":"READ_WRITE""#)
        _ = try await here.metadata("accept", SharedCloud.links(share.shortGUID ?? ""), by: here.bert)
        let zone = #""zoneID":{"zoneName":"Notes","ownerRecordName":"\#(here.anna.name)"}"#
        let found = await here.bert.post("shared/records/lookup", #"{\#(zone),"records":[{"recordName":"root"}]}"#)
        let download = try anna.path(try #require(Bodies.string("downloadURL", in: found.body), "\(found)"))
        let token = #"{"recordName":"root","recordType":"Note","fieldName":"photo"}"#
        let place = await here.bert.post("shared/assets/upload", #"{\#(zone),"tokens":[\#(token)]}"#)
        let upload = try anna.path(try #require(Bodies.string("url", in: place.body), "\(place)"))
        #expect(await anna.download(download).status == 200)
        #expect(await anna.send(bytes, to: upload).status == 200)
        switch end {
        case .left:
            _ = await here.bert.post(
                "shared/records/modify",
                #"{\#(zone),"operations":[{"operationType":"forceDelete","record":{"recordName":"S"}}]}"#)
        case .removed: try await here.setPublic("NONE")
        case .stopped: _ = await here.anna.post("private/records/modify", Bodies.delete("S", zone: "Notes"))
        }
        #expect(await anna.download(download).status == 404)
        #expect(await anna.download(download, method: "HEAD").status == 404)
        #expect(await anna.send(bytes, to: upload).status == 404)
        for operation in ["assets/upload", "assets/rereference"] {
            let key = operation == "assets/upload" ? "tokens" : "assets"
            let answer = await here.bert.post("shared/\(operation)", #"{\#(zone),"\#(key)":[\#(token)]}"#)
            #expect(answer.isRefusal("ZONE_NOT_FOUND"), "\(operation): \(answer)")
        }
        // The owner's own go on.
        #expect(await anna.download(try await anna.downloadPath("root")).status == 200)
        #expect(try await here.cloud.problems() == [])
        await here.cloud.close()
    }
}
