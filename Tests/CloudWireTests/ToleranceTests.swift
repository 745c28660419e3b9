import CloudCore
import CloudWire
import Testing

/// What clients send besides the documented forms.
struct ToleranceTests {
    private func query(_ members: String) throws -> RecordQuery {
        try RecordsQueryRequest.decode(bytes(#"{"query": {"recordType": "T", \#(members)}}"#)).query
    }

    @Test func `one filter or sort may come without an array`() throws {
        let query = try query(
            #""filterBy": {"fieldName": "a", "fieldValue": {"value": 1}}, "sortBy": {"fieldName": "b"}"#)
        #expect(
            query.filters == [
                QueryFilter(field: .user("a"), comparator: .equals, value: .int64(1), isTyped: false)
            ])
        #expect(query.sorts == [QuerySort(field: .user("b"))])
        #expect(try self.query(#""filterBy": null, "sortBy": []"#) == RecordQuery(recordType: "T"))
    }

    @Test func `system fields go by either name and systemFieldName wins`() throws {
        let sorts = try query(
            #"""
            "sortBy": [{"fieldName": "___createTime"}, {"systemFieldName": "modifiedTimestamp", "fieldName": "x"}]
            """#
        ).sorts
        #expect(sorts.map(\.field) == [.system(.createdTimestamp), .system(.modifiedTimestamp)])
    }

    @Test func `record names in filters may be strings`() throws {
        let filters = try query(
            #"""
            "filterBy": [
              {"systemFieldName": "recordName", "comparator": "IN",
               "fieldValue": {"value": ["a"], "type": "STRING_LIST"}},
              {"systemFieldName": "recordName", "comparator": "BEGINS_WITH", "fieldValue": {"value": "a"}}]
            """#
        ).filters
        #expect(filters[0].value == .list(.reference, [.reference(Reference(recordName: "a"))]))
        #expect(filters[1].value == .string("a"))
    }

    @Test(arguments: [
        (#""filterBy": [{"fieldName": "a", "comparator": "SOUNDS_LIKE", "fieldValue": {"value": 1}}]"#, "SOUNDS_LIKE"),
        (
            #""filterBy": [{"fieldName": "a", "comparator": "EQUALS", "fieldValue": {"value": 1}, "distance": 5}]"#,
            "NEAR"
        ),
        (#""filterBy": [{"comparator": "NEAR", "fieldValue": {"value": 1}, "distance": 5}]"#, "fieldName"),
        (#""filterBy": [{"comparator": "CONTAINS_ALL_TOKENS", "fieldName": "a"}]"#, "fieldValue"),
        (#""sortBy": [{"fieldName": "a", "relativeLocation": {"latitude": 1}}]"#, "longitude"),
    ])
    func `a search that is not whole is refused by name`(_ members: String, _ name: String) {
        let reason = refusal(RecordsQueryRequest.self, #"{"query": {"recordType": "T", \#(members)}}"#)
        #expect(reason?.contains(name) == true, "\(reason ?? "")")
    }

    @Test func `a place to sort from is a field value or bare, and words need no field`() throws {
        let place = Location(latitude: 1.5, longitude: -2)
        let query = try query(
            #"""
            "filterBy": {"comparator": "CONTAINS_ANY_TOKENS", "fieldValue": {"value": "a b"}},
            "sortBy": [{"fieldName": "p", "relativeLocation": {"latitude": 1.5, "longitude": -2}},
              {"fieldName": "q", "relativeLocation": {"value": {"latitude": "1.5", "longitude": -2}, "type": "LOCATION"}}]
            """#)
        #expect(query.sorts.map(\.relativeLocation) == [place, place])
        #expect(query.filters.map(\.field) == [.text])
    }

    @Test(arguments: [
        #"{"zoneName": "Z"}"#, #"{"zoneName": "Z", "ownerRecordName": ""}"#, #"{"zoneName": "Z", "ownerName": null}"#,
        #"{"zoneName": "Z", "ownerRecordName": "_defaultOwner"}"#,
        #"{"zoneName": "Z", "ownerName": "__defaultOwner__"}"#,
    ])
    func `placeholders for the owner mean the caller`(_ zone: String) throws {
        let request = try ZonesLookupRequest.decode(bytes(#"{"zones": [\#(zone), {"zoneID": \#(zone)}]}"#))
        #expect(request.zones == [WireZoneID(zoneName: "Z"), WireZoneID(zoneName: "Z")])
    }

    @Test func `ownerName is another word for ownerRecordName`() throws {
        let request = try ZonesLookupRequest.decode(bytes(#"{"zones": [{"zoneName": "Z", "ownerName": "_o"}]}"#))
        #expect(request.zones == [WireZoneID(zoneName: "Z", ownerRecordName: "_o")])
    }

    @Test func `a record keeps its own zone apart from the request's`() throws {
        let request = try RecordsModifyRequest.decode(
            bytes(
                #"""
                {"zoneID": {"zoneName": "A"}, "desiredKeys": ["x"], "operations": [
                 {"operationType": "forceDelete", "record": {"recordName": "r", "zoneID": {"zoneName": "B"}}}]}
                """#))
        #expect(request.zone?.zoneName == "A")
        #expect(request.operations[0].zone?.zoneName == "B")
        #expect(request.operations[0].desiredKeys == ["x"])
        #expect(request.operations[0].parent == nil)
    }

    @Test(arguments: ["cloudkit.share", "cloudKit.share", "CLOUDKIT.SHARE"])
    func `the type of share records is read in any case`(_ type: String) throws {
        let body = #"{"operations": [{"operationType": "create", "record": {"recordType": "\#(type)"}}]}"#
        #expect(try RecordsModifyRequest.decode(bytes(body)).operations[0].recordType == "cloudkit.share")
    }

    @Test(arguments: ["true", "1"])
    func `a short GUID is asked for by true or 1`(_ value: String) throws {
        let body = #"{"operations": [{"operationType": "create", "record": {"createShortGUID": \#(value)}}]}"#
        #expect(try RecordsModifyRequest.decode(bytes(body)).operations[0].createShortGUID)
    }

    @Test func `older words for participants are read, and what clients echo of a share is ignored`() throws {
        let body = """
            {"operations": [{"operationType": "create", "record": {"share": {"recordName": "s"}, "shortGUID": "0a",
            "participants": [{"type": "PRIVATE_USER", "acceptanceStatus": "PENDING", "userRecordName": "_a"}, {}]}}]}
            """
        let people = try #require(try RecordsModifyRequest.decode(bytes(body)).operations[0].sharing?.participants)
        #expect(people[0].role == .privateUser && people[0].status == .invited)
        #expect(people[0].identity.userRecordName == "_a")
        #expect(people[1].role == .unknown && people[1].permission == .unknown && people[1].status == .unknown)
    }

    @Test(arguments: ["syncToken", "metaSyncToken"])
    func `the database token goes by both names`(_ key: String) throws {
        #expect(try ChangesDatabaseRequest.decode(bytes("{\"\(key)\": \"AA==\"}")).syncToken == "AA==")
    }

    @Test(arguments: ["numbersAsStrings", "numberAsStrings"])
    func `a zone's own keys win over the request's in changes`(_ key: String) throws {
        let request = try ChangesZoneRequest.decode(
            bytes(
                #"""
                {"resultsLimit": 5, "desiredKeys": ["a"], "\#(key)": true,
                 "zones": [{"zoneID": {"zoneName": "A"}, "resultsLimit": 7}, {"zoneID": {"zoneName": "B"}}]}
                """#))
        #expect(request.zones.map(\.resultsLimit) == [7, 5])
        #expect(request.zones.allSatisfy { $0.numbersAsStrings && $0.desiredKeys == ["a"] && !$0.reverse })
    }

    @Test func `subscription ids may be strings or objects`() throws {
        let request = try SubscriptionsLookupRequest.decode(
            bytes(#"{"subscriptions": ["a", {"subscriptionID": "b"}]}"#))
        #expect(request.subscriptionIDs == ["a", "b"])
    }

    @Test func `a subscription that says too little is refused alone`() throws {
        let request = try SubscriptionsModifyRequest.decode(
            bytes(
                #"""
                {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "a"}},
                 {"operationType": "delete", "subscription": {"subscriptionID": "b"}}]}
                """#))
        guard case .refused("a", let error) = request.operations[0] else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .badRequest)
        #expect(error.reason == "Unexpected input: missing required key 'operations[0].subscription.subscriptionType'")
        #expect(request.operations[1] == .delete("b"))
    }

    @Test func `a query subscription without a zone is for the default zone unless it is zone-wide`() throws {
        func zone(_ member: String) throws -> ZoneID? {
            let body =
                #"{"operations": [{"operationType": "create", "subscription": {"subscriptionType": "query","#
                + #" "query": {"recordType": "T"}, "firesOn": ["create"]\#(member)}}]}"#
            guard case .create(let subscription) = try SubscriptionsModifyRequest.decode(bytes(body)).operations[0],
                case .query(_, let zone, _, _) = subscription.resolvingOwner("_me").kind
            else { throw WireError("no query subscription") }
            return zone
        }
        #expect(try zone("") == ZoneID(name: "_defaultZone", owner: "_me"))
        #expect(try zone(#", "zoneWide": true"#) == nil)
        #expect(try zone(#", "zoneWide": true, "zoneID": {"zoneName": "Z"}"#) == ZoneID(name: "Z", owner: "_me"))
    }

    @Test func `an alert may be a string`() throws {
        let payload = try PushPayload.decode(
            bytes(
                #"""
                {"aps": {"alert": "Hello"}, "ck": {"cid": "c", "nid": "n", "met": {"sid": "s", "dbs": 2}}}
                """#))
        #expect(payload.alert == PushAlert(body: "Hello"))
        #expect(payload.kind == .database && payload.scope == .private)
    }

    @Test func `an error code we do not know is kept in words`() throws {
        let body = try ErrorBody.decode(bytes(#"{"serverErrorCode": "ODD", "reason": "why", "uuid": "u"}"#))
        #expect(body == ErrorBody(CloudError(.internalError, "ODD: why"), uuid: "u"))
    }

    @Test func `unknown keys are ignored and wrong shapes name their key`() {
        #expect(refusal(SignOutRequest.self, #"{"deviceSession": "a", "more": [1, {"x": null}]}"#) == nil)
        let number = refusal(RecordsQueryRequest.self, #"{"query": {"recordType": 3}}"#)
        #expect(number?.hasPrefix("query.recordType: ") == true)
        #expect(refusal(RecordsQueryRequest.self, "") == "Unexpected input: missing required key 'query'")
        #expect(refusal(RecordsLookupRequest.self, #"{"records": [{}]}"#)?.contains("records[0].recordName") == true)
        #expect(refusal(ChangesDatabaseRequest.self, #"{"resultsLimit": 0}"#)?.hasPrefix("resultsLimit: ") == true)
    }
}
