import CloudCore
import CloudWire
import Testing

struct FieldTests {
    @Test func `a field without a value is cleared`() throws {
        let drafts = try drafts(#"{"a": {}, "b": {"value": null}, "c": null, "d": {"value": null, "type": "STRING"}}"#)
        for name in ["a", "b", "c", "d"] { #expect(drafts[name] == FieldDraft(name: name, value: nil, isTyped: false)) }
    }

    @Test func `a declared type decides how the value is read`() throws {
        let drafts = try drafts(
            #"""
            {"a": {"value": "9007199254740993", "type": "INT64"}, "b": {"value": true, "type": "INT64"},
             "c": {"value": 3, "type": "DOUBLE"}, "d": {"value": "2.5", "type": "DOUBLE"},
             "e": {"value": 1767225600000.6, "type": "TIMESTAMP"}, "f": {"value": "AP8Q", "type": "BYTES"},
             "g": {"value": {"recordName": "r"}, "type": "REFERENCE"}, "h": {"value": [], "type": "STRING_LIST"},
             "i": {"value": false, "type": "BOOLEAN"}, "j": {"value": "12", "type": "TIMESTAMP"},
             "k": {"value": 7.0, "type": "INT64"},
             "l": {"value": {"fileChecksum": "AQ==", "size": 3, "receipt": "r"}, "type": "ASSETID"},
             "m": {"value": {"receipt": "r"}, "type": "ASSET"}, "o": {"value": [], "type": "ASSETID_LIST"},
             "n": {"value": [{"fileChecksum": "AQ==", "size": "3"}], "type": "ASSET_LIST"}}
            """#)
        let expected: [String: FieldValue] = [
            "a": .int64(9_007_199_254_740_993), "b": .int64(1), "c": .double(3), "d": .double(2.5),
            "e": .timestamp(1_767_225_600_001), "f": .bytes([0, 255, 16]),
            "g": .reference(Reference(recordName: "r")), "h": .list(.string, []), "i": .int64(0), "j": .timestamp(12),
            "k": .int64(7), "l": .asset(Asset(fileChecksum: "AQ==", size: 3, receipt: "r")),
            "m": .asset(Asset(fileChecksum: "", size: -1, receipt: "r")),
            "n": .list(.asset, [.asset(Asset(fileChecksum: "AQ==", size: 3))]), "o": .list(.asset, []),
        ]
        for (name, value) in expected {
            #expect(drafts[name] == FieldDraft(name: name, value: value, isTyped: true))
        }
    }

    @Test func `without a declared type the JSON suggests one`() throws {
        let drafts = try drafts(
            #"""
            {"a": {"value": "x"}, "b": {"value": 3}, "c": {"value": 3.5}, "d": {"value": true},
             "e": {"value": {"recordName": "r", "action": "VALIDATE"}}, "f": {"value": []},
             "g": {"value": [1, 2.5]},
             "h": {"value": ["x"], "type": "LIST"}, "i": {"value": [], "type": "UNKNOWN_LIST"},
             "j": {"value": {"fileChecksum": "AQ==", "size": 3}}, "k": {"value": [{"fileChecksum": "AQ==", "size": 3}]}}
            """#)
        let asset = Asset(fileChecksum: "AQ==", size: 3)
        let expected: [String: FieldValue] = [
            "j": .asset(asset), "k": .list(.asset, [.asset(asset)]), "a": .string("x"), "b": .int64(3),
            "c": .double(3.5), "d": .int64(1),
            "e": .reference(Reference(recordName: "r", action: .validate)), "f": .list(nil, []),
            "g": .list(.double, [.double(1), .double(2.5)]), "h": .list(.string, [.string("x")]), "i": .list(nil, []),
        ]
        for (name, value) in expected {
            #expect(drafts[name] == FieldDraft(name: name, value: value, isTyped: false))
        }
    }

    @Test(arguments: [
        #"{"value": "x", "type": "INT64"}"#, #"{"value": 1.5, "type": "INT64"}"#, #"{"value": 1, "type": "STRING"}"#,
        #"{"value": "A", "type": "BYTES"}"#, #"{"value": "A-_=", "type": "BYTES"}"#,
        #"{"value": "AB==", "type": "BYTES"}"#,
        #"{"value": "inf", "type": "DOUBLE"}"#, #"{"value": 18446744073709551615, "type": "INT64"}"#,
        #"{"value": "x", "type": "STRING_LIST"}"#, #"{"value": [null], "type": "STRING_LIST"}"#,
        #"{"value": [["x"]]}"#, #"{"value": ["x", 1]}"#, #"{"value": {}}"#, #"{"value": 1, "type": "NUMBER"}"#,
        #"{"value": {"action": "NONE"}, "type": "REFERENCE"}"#, #""bare""#, "3",
        #"{"value": {"latitude": 1}, "type": "LOCATION"}"#, #"{"value": {"latitude": 1}}"#,
        #"{"value": {"latitude": "north", "longitude": 2}, "type": "LOCATION"}"#, #"{"value": 3, "type": "LOCATION"}"#,
        #"{"value": [{"longitude": 2}], "type": "LOCATION_LIST"}"#,
        #"{"value": {"size": 1}, "type": "ASSETID"}"#, #"{"value": {"fileChecksum": "x"}, "type": "ASSET"}"#,
        #"{"value": {"fileChecksum": "x", "size": -1}, "type": "ASSETID"}"#, #"{"value": {"receipt": ""}}"#,
        #"{"value": {"fileChecksum": "x", "size": "many"}}"#, #"{"value": ["x"], "type": "ASSETID_LIST"}"#,
    ])
    func `a value that is not of its type is refused with its path`(_ field: String) {
        do {
            _ = try drafts("{\"f\": \(field)}")
            Issue.record("accepted \(field)")
        } catch {
            #expect("\(error)".contains("operations[0].record.fields.f"), "\(error)")
        }
    }

    @Test(arguments: [
        (#"{"value": "x", "type": "STRING", "isEncrypted": true}"#, "encryption")
    ])
    func `what the service does not have is refused by name`(_ field: String, _ name: String) {
        do {
            _ = try drafts("{\"f\": \(field)}")
            Issue.record("accepted \(field)")
        } catch {
            #expect("\(error)".contains(name) && "\(error)".hasSuffix("is not available yet"), "\(error)")
        }
    }

    @Test func `numbers are written as strings on request and read back by type`() throws {
        let stamp = RecordStamp(timestamp: 1, userRecordName: "_u", deviceID: "2")
        let record = Record(
            id: RecordID(name: "r", zone: ZoneID(name: "Z", owner: "_u")), type: "T", changeTag: "1",
            fields: ["i": .int64(.min), "d": .double(0.1), "t": .timestamp(5), "l": .list(.int64, [.int64(1)])],
            created: stamp, modified: stamp)
        let body = RecordsResponse(records: [.record(record)], numbersAsStrings: true).encode()
        let text = String(decoding: body, as: UTF8.self)
        for part in [#""value":"-9223372036854775808""#, #""value":"0.1""#, #""value":"5""#, #""value":["1"]"#] {
            #expect(text.contains(part))
        }
        #expect(text.contains(#""timestamp":1,"#))
        #expect(try RecordsResponse.decode(body).records == [.record(record)])
    }

    @Test func `a reference in an answer names its zone and loses it again where the record lives there`() throws {
        let stamp = RecordStamp(timestamp: 1, userRecordName: "_u", deviceID: "2")
        let zone = ZoneID(name: "Z", owner: "_u")
        let record = Record(
            id: RecordID(name: "r", zone: zone), type: "T", changeTag: "1",
            fields: ["r": .reference(Reference(recordName: "other", action: .deleteSelf))], parent: "p",
            created: stamp, modified: stamp)
        let body = RecordsResponse(records: [.record(record)]).encode()
        #expect(
            String(decoding: body, as: UTF8.self).contains(
                #"{"recordName":"other","action":"DELETE_SELF","zoneID":{"zoneName":"Z","ownerRecordName":"_u","#))
        #expect(try RecordsResponse.decode(body).records == [.record(record)])
    }
}
