import CloudCore
import CloudStorage
import CloudTestSupport
import CloudWire
import Testing

@Suite struct `Sharing over the protocol` {
    @Test func `begins with a short GUID for the root, then the share in a second request`() async throws {
        let here = try await SharedCloud()
        let root = try await here.modify(
            #"{"recordName":"n1","recordType":"Note","createShortGUID":true,"fields":{}}"#)[0]
        let guid = try #require(root.shortGUID)
        let share = try await here.modify(
            """
            {"recordType":"cloudKit.share","forRecord":{"recordName":"n1","recordChangeTag":"\(root.changeTag)"},
            "publicPermission":"NONE","participants":[\(SharedCloud.invitation),
            {"type":"OWNER","permission":"READ_WRITE","acceptanceStatus":"ACCEPTED","userRecordName":"__defaultOwner__",
            "userIdentity":{"userRecordName":"__defaultOwner__"}}]}
            """)[0]
        #expect(share.type == "cloudkit.share" && share.shortGUID == guid)
        #expect(share.sharing?.participants.map(\.role) == [.owner, .privateUser])
        #expect(share.sharing?.currentUser?.identity.userRecordName == here.anna.name)
        let answer = await here.anna.post(
            "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"n1"}]}"#)
        #expect(Bodies.string("recordChangeTag", in: answer.body) != root.changeTag)
        #expect(answer.body.contains(#""share":{"recordName":"\#(share.id.name)","#))
        await here.cloud.close()
    }

    @Test func `shows a share record the same by lookup, query and feed`() async throws {
        let here = try await SharedCloud()
        let share = try await here.share(#""participants":[\#(SharedCloud.invitation)]"#)
        for (operation, json) in [
            ("records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"S"}]}"#),
            ("records/query", #"{"zoneID":{"zoneName":"Notes"},"query":{"recordType":"cloudkit.share"}}"#),
            ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"},"desiredRecordTypes":["cloudkit.share"]}]}"#),
        ] {
            let answer = await here.anna.post("private/\(operation)", json)
            var records: [RecordItem]
            if operation == "changes/zone" {
                let zones = try ChangesZoneResponse.decode(Array(answer.body.utf8)).zones
                guard case .changes(let changes)? = zones.first else { throw SharedCloud.Refused(answer: answer) }
                records = changes.records
            } else {
                records = try RecordsLookupResponse.decode(Array(answer.body.utf8)).records
            }
            #expect(records == [.record(share)], "\(operation)")
        }
        await here.cloud.close()
    }

    @Test func `leads from the URL's GUID to the share, and by accepting into it`() async throws {
        let here = try await SharedCloud()
        let share = try await here.share(#""participants":[\#(SharedCloud.invitation)]"#)
        let link = SharedCloud.links(
            share.shortGUID ?? "", more: #","shouldFetchRootRecord":true,"rootRecordDesiredKeys":["none"]"#)
        let own = try await here.metadata("resolve", link, by: here.anna)
        #expect(own.scope == .private && own.role == .owner && own.rootRecord?.fields == [:])
        #expect(own.rootRecord?.id.name == "root" && own.link.rootRecordDesiredKeys == ["none"])
        let invited = try await here.metadata("resolve", link, by: here.bert)
        #expect(invited.scope == .shared && invited.status == .invited && invited.rootRecord == nil)
        #expect(invited.zone == ZoneID(name: "Notes", owner: here.anna.name) && invited.rootRecordName == "root")
        #expect(invited.webpageURL == "\(here.cloud.url)/share/\(share.shortGUID ?? "")")
        let accepted = try await here.metadata("accept", link, by: here.bert)
        #expect(accepted.status == .accepted && accepted.rootRecord != nil && accepted.permission == .readWrite)
        #expect(accepted.share.sharing?.currentUser?.identity.userRecordName == here.bert.name)
        await here.cloud.close()
    }

    @Test func `names the share record as root of a share of a whole zone`() async throws {
        let here = try await SharedCloud()
        let share = try await here.modify(
            #"{"recordName":"cloudkit.zoneshare","recordType":"cloudkit.share","publicPermission":"READ_ONLY"}"#)[0]
        let link = SharedCloud.links(share.shortGUID ?? "", more: #","shouldFetchRootRecord":true"#)
        let metadata = try await here.metadata("accept", link, by: here.bert)
        #expect(metadata.rootRecordName == "cloudkit.zoneshare" && metadata.rootRecord == nil)
        #expect(metadata.role == .publicUser && metadata.permission == .readOnly)
        await here.cloud.close()
    }

    @Test(arguments: ["resolve", "accept"])
    func `one unknown GUID fails the request, one of several only its item`(_ operation: String) async throws {
        let here = try await SharedCloud()
        let guid = try await here.share(#""publicPermission":"READ_ONLY""#).shortGUID ?? ""
        let one = await here.bert.post("public/records/\(operation)", SharedCloud.links("0nothing"))
        #expect(one.status == 404 && one.isRefusal("NOT_FOUND", naming: "0nothing"))
        let several = try await here.results(operation, SharedCloud.links("0nothing", guid, "0none"), by: here.bert)
        #expect(several.count == 3)
        guard case .failure(let link, let error, _) = several[0], case .metadata(let found) = several[1] else {
            Issue.record("\(several)")
            return
        }
        #expect(link.value == "0nothing" && error.code == .notFound && found.link.value == guid)
        await here.cloud.close()
    }

    @Test func `one refused item of several undoes nothing of the others`() async throws {
        let here = try await SharedCloud()
        let guid = try await here.share(#""publicPermission":"READ_ONLY""#).shortGUID ?? ""
        let other = try await here.modify(
            #"{"recordName":"r2","recordType":"Note"}"#,
            #"{"recordName":"S2","recordType":"cloudkit.share","forRecord":{"recordName":"r2"}}"#)[1]
        _ = try await here.results("accept", SharedCloud.links(guid, other.shortGUID ?? ""), by: here.bert)
        #expect(try await here.metadata("resolve", SharedCloud.links(guid), by: here.bert).status == .accepted)
        #expect(try await here.cloud.store.read { try $0.verify() } == [])
        await here.cloud.close()
    }

    @Test func `somebody without an account sees public shares, and otherwise the way to sign in`() async throws {
        let here = try await SharedCloud()
        let path = "/database/1/\(TestCloud.container)/development/public/records"
        let token = "?ckAPIToken=\(TestCloud.apiToken())"
        let share = try await here.share(#""publicPermission":"READ_ONLY""#)
        let link = SharedCloud.links(share.shortGUID ?? "")
        let seen = await here.cloud.request("POST", "\(path)/resolve\(token)", json: link)
        #expect(seen.status == 200 && seen.body.contains(#""participantType":"PUBLIC_USER""#))
        #expect(await here.cloud.request("POST", "\(path)/accept\(token)", json: link).status == 421)
        _ = try await here.modify(
            #"{"recordName":"S","recordChangeTag":"\#(share.changeTag)","publicPermission":"NONE"}"#, type: "update")
        for guid in [share.shortGUID ?? "", "0nothing"] {
            let answer = await here.cloud.request("POST", "\(path)/resolve\(token)", json: SharedCloud.links(guid))
            #expect(answer.status == 421 && answer.body.contains("redirectURL"))
        }
        await here.cloud.close()
    }

    @Test func `a share of another container is found and is accepted there only`() async throws {
        let here = try await SharedCloud()
        let guid = try await here.share(#""publicPermission":"READ_ONLY""#).shortGUID ?? ""
        let elsewhere = try await here.cloud.signIn("bert@example.org", container: "iCloud.org.example.other")
        let found = try await here.metadata("resolve", SharedCloud.links(guid), by: elsewhere)
        #expect(found.container.rawValue == TestCloud.container)
        let refused = await elsewhere.post("public/records/accept", SharedCloud.links(guid))
        #expect(refused.status == 400 && refused.isRefusal("BAD_REQUEST", naming: TestCloud.container))
        await here.cloud.close()
    }

    @Test(arguments: ["resolve", "accept", "requestaccess"])
    func `belongs to the public database's endpoints`(_ operation: String) async throws {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org")
        for scope in ["private", "shared"] {
            let answer = await anna.post("\(scope)/records/\(operation)", SharedCloud.links("0"))
            #expect(
                answer.isRefusal("BAD_REQUEST", naming: "endpoint not applicable in the database type '\(scope)db'"))
        }
        for body in ["{}", #"{"shortGUIDs":[{}]}"#, #"{"shortGUIDs":[{"value":""}]}"#, #"{"shortGUIDs":"0"}"#] {
            #expect(await anna.post("public/records/\(operation)", body).isRefusal("BAD_REQUEST"), "\(body)")
        }
        await cloud.close()
    }

    @Test func `asks for access without learning what there is`() async throws {
        let here = try await SharedCloud()
        let share = try await here.share(#""denyAccessRequests":false"#)
        func ask(_ guid: String) async -> String {
            await here.bert.post("public/records/requestaccess", SharedCloud.links(guid)).body
                .replacing(guid, with: "GUID")
        }
        #expect(await ask(share.shortGUID ?? "") == (await ask("0nothing")))
        let tag = try #require(
            Bodies.string(
                "recordChangeTag",
                in: await here.anna.post(
                    "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"S"}]}"#
                ).body))
        let seen = try await here.modify(#"{"recordName":"S","recordChangeTag":"\#(tag)"}"#, type: "update")[0]
        let requester = try #require(seen.sharing?.requesters.first)
        #expect(requester.identity.userRecordName == here.bert.name)
        let approved = try await here.modify(
            """
            {"recordName":"S","recordChangeTag":"\(seen.changeTag)","participants":[
            {"participantId":"\(requester.id)","permission":"READ_ONLY"}]}
            """, type: "update")[0]
        #expect(approved.sharing?.participants.last?.isApprovedRequester == true)
        let again = await here.bert.post("public/records/requestaccess", SharedCloud.links(share.shortGUID ?? ""))
        #expect(again.status == 409 && again.body.contains(#""ckErrorCode":37"#))
        let denied = try await here.modify(
            #"{"recordName":"S","recordChangeTag":"\#(approved.changeTag)","blockRequesters":["\#(requester.id)"]}"#,
            type: "update")[0]
        #expect(denied.sharing?.blocked.map(\.id) == [requester.id] && denied.sharing?.participants.count == 1)
        await here.cloud.close()
    }

    @Test(arguments: [
        #""publicPermission":"ALL""#, #""participants":[{"type":"BOSS"}]"#, #""participants":{}"#,
        #""participants":[{"acceptanceStatus":"MAYBE"}]"#, #""forRecord":{"recordName":""}"#, #""forRecord":"root""#,
        #""publicPermission":"UNKNOWN""#, #""denyAccessRequests":7"#, #""createShortGUID":2"#,
    ])
    func `a damaged share is refused and leaves nothing`(_ member: String) async throws {
        let here = try await SharedCloud()
        let answer = await here.anna.post(
            "private/records/modify",
            """
            {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordName":"S",
            "recordType":"cloudkit.share","forRecord":{"recordName":"root"},\(member)}}]}
            """)
        #expect(answer.isRefusal("BAD_REQUEST"), "\(answer.body)")
        #expect(try await here.cloud.store.read { try $0.verify() } == [])
        await here.cloud.close()
    }

    @Test(arguments: ["parent", "forRecord"])
    func `a record named in another zone is not taken for one of this zone`(_ key: String) async throws {
        let here = try await SharedCloud()
        _ = await here.anna.post("private/zones/modify", Bodies.zone("create", "Other"))
        let type = key == "parent" ? "Note" : "cloudkit.share"
        func body(_ zone: String) -> String {
            let record = #""recordName":"n","recordType":"\#(type)","\#(key)":{"recordName":"root","zoneID":\#(zone)}"#
            return #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{\#(record)}}]}"#
        }
        for zone in [#"{"zoneName":"Other"}"#, #"{"zoneName":"Notes","ownerRecordName":"\#(here.bert.name)"}"#] {
            let refused = await here.anna.post("private/records/modify", body(zone))
            #expect(refused.isRefusal("BAD_REQUEST", naming: key), "\(refused)")
        }
        let own = #"{"zoneName":"Notes","ownerRecordName":"\#(here.anna.name)"}"#
        let done = await here.anna.post("private/records/modify", body(own))
        #expect(done.status == 200 && !done.body.contains("serverErrorCode"), "\(done)")
        await here.cloud.close()
    }

    @Test func `is left over the protocol by deleting the share record, and goes on for the others`() async throws {
        let here = try await SharedCloud()
        let cleo = try await here.cloud.signIn("cleo@example.org", device: "c")
        let share = try await here.share(#""publicPermission":"READ_ONLY""#)
        for guest in [here.bert, cleo] {
            _ = try await here.metadata("accept", SharedCloud.links(share.shortGUID ?? ""), by: guest)
        }
        let zone = #""zoneID":{"zoneName":"Notes","ownerRecordName":"\#(here.anna.name)"}"#
        let token = try #require(
            Bodies.string("syncToken", in: await here.bert.post("shared/changes/database").body))
        let left = await here.bert.post(
            "shared/records/modify",
            #"{\#(zone),"operations":[{"operationType":"forceDelete","record":{"recordName":"S"}}]}"#)
        #expect(left.status == 200 && left.body.contains(#""deleted":true"#), "\(left)")
        let lookup = #"{\#(zone),"records":[{"recordName":"root"}]}"#
        #expect(await here.bert.post("shared/records/lookup", lookup).isRefusal("ZONE_NOT_FOUND"))
        let feed = await here.bert.post("shared/changes/database", #"{"syncToken":"\#(token)"}"#)
        #expect(feed.body.contains(#""zoneName":"Notes""#) && feed.body.contains(#""deleted":true"#), "\(feed)")
        #expect(await here.bert.post("shared/zones/list").body.contains("Notes") == false)
        // Nothing changed for the others, nor for the records; and he may come again.
        #expect(await cleo.post("shared/records/lookup", lookup).body.contains(#""recordName":"root""#))
        let own = await here.anna.post(
            "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"S"}]}"#)
        #expect(own.body.contains(cleo.name) && !own.body.contains(here.bert.name))
        _ = try await here.metadata("accept", SharedCloud.links(share.shortGUID ?? ""), by: here.bert)
        #expect(await here.bert.post("shared/records/lookup", lookup).body.contains(#""recordName":"root""#))
        #expect(try await here.cloud.store.read { try $0.verify() } == [])
        await here.cloud.close()
    }
}
