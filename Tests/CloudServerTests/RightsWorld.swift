import CloudTestSupport
import HTTPCore
import Testing

/// Shares of all kinds, and people who have every kind of part in them.
struct RightsWorld {
    private let keyed: KeyedCloud
    var cloud: TestCloud { keyed.cloud }
    private var users: [Who: TestUser] = [:]
    private var guids: [String: String] = [:]

    init() async throws {
        keyed = try await KeyedCloud()
        for who in Who.allCases where ![.nobody, .token, .key].contains(who) {
            users[who] = try await cloud.signIn(who.email, device: who.rawValue)
        }
        try await furnish()
        try await share(
            "root", as: "S", in: "Trees", public: "NONE",
            [
                .invited: "READ_WRITE", .reader: "READ_ONLY", .writer: "READ_WRITE", .administrator: "READ_WRITE",
                .left: "READ_WRITE", .removed: "READ_WRITE",
            ])
        try await share("open", as: "O", in: "Trees", public: "READ_WRITE", [:])
        try await share("shown", as: "P", in: "Trees", public: "READ_ONLY", [:])
        try await share(
            nil, as: "cloudkit.zoneshare", in: "Whole", public: "NONE",
            [.invited: "READ_WRITE", .zoneReader: "READ_ONLY", .zoneWriter: "READ_WRITE", .zoneLeft: "READ_WRITE"])
        for who in [Who.reader, .writer, .administrator, .left, .removed] { try await accept("S", by: who) }
        try await accept("O", by: .writingGuest)
        try await accept("P", by: .readingGuest)
        for who in [Who.zoneReader, .zoneWriter, .zoneLeft] { try await accept("cloudkit.zoneshare", by: who) }
        try await leave("S", "Trees", .left)
        try await leave("cloudkit.zoneshare", "Whole", .zoneLeft)
        try await remove(.removed, from: "S")
    }

    private var owner: TestUser {
        get throws { try #require(users[.owner]) }
    }

    /// - Parameter name: The owner is named where the database is not his own.
    private func zoneID(_ name: String, _ scope: String) throws -> String {
        if scope == "public", name == "_defaultZone" { return #"{"zoneName":"_defaultZone"}"# }
        return #"{"zoneName":"\#(name)","ownerRecordName":"\#(try owner.name)"}"#
    }

    private func done(_ answer: TestAnswer) throws {
        try #require(answer.status == 200 && !answer.body.contains("serverErrorCode"), "\(answer)")
    }

    // MARK: Setting up

    private static let records =
        [
            "Trees": [
                "root": nil, "leaf": "root", "out": nil, "open": nil, "openleaf": "open", "shown": nil,
                "shownleaf": "shown",
            ],
            "Whole": ["w": nil], "Plain": ["u": nil], "_defaultZone": ["d": nil],
        ] as [String: [String: String?]]

    private func furnish() async throws {
        for zone in ["Trees", "Whole", "Plain", "Spare"] {
            try done(try await owner.post("private/zones/modify", Bodies.zone("create", zone)))
        }
        for (zone, records) in Self.records {
            // Roots first.
            for (name, parent) in records.sorted(by: { ($0.value ?? "", $0.key) < ($1.value ?? "", $1.key) }) {
                try done(try await owner.post("private/records/modify", save("create", name, parent, zone, "private")))
            }
            for name in records.keys {
                for who in Who.allCases { try await prepare(doomed(name, who), in: name, zone, "private") }
            }
        }
        try done(try await owner.post("public/records/modify", save("create", "p", nil, "_defaultZone", "public")))
        for place in [
            "private Trees leaf", "private Trees out", "private Whole w", "private Plain u", "public _defaultZone p",
        ] {
            try done(try await keep(Row(place.split(separator: " ").map(String.init) + ["keep"]), .owner))
        }
        for who in Who.allCases { try await prepare(doomed("p", who), in: nil, "_defaultZone", "public") }
    }

    /// The name of a record that a caller may try to delete.
    private func doomed(_ name: String, _ who: Who) -> String { "\(name)-for-\(who)" }

    private func prepare(_ name: String, in parent: String?, _ zone: String, _ scope: String) async throws {
        try done(try await owner.post("\(scope)/records/modify", save("create", name, parent, zone, scope)))
    }

    private mutating func share(
        _ root: String?, as name: String, in zone: String, public permission: String, _ people: [Who: String]
    ) async throws {
        let participants = people.sorted { $0.key.rawValue < $1.key.rawValue }.map { who, permission in
            #"{"type":"\#(who == .administrator ? "ADMINISTRATOR" : "USER")","permission":"\#(permission)","#
                + #""acceptanceStatus":"INVITED","userIdentity":{"lookupInfo":{"emailAddress":"\#(who.email)"}}}"#
        }.joined(separator: ",")
        let forRecord = root.map { #","forRecord":{"recordName":"\#($0)"}"# } ?? ""
        let record =
            #"{"recordName":"\#(name)","recordType":"cloudkit.share","publicPermission":"\#(permission)","#
            + #""participants":[\#(participants)]\#(forRecord)}"#
        let answer = try await owner.post(
            "private/records/modify",
            #"{"zoneID":{"zoneName":"\#(zone)"},"operations":[{"operationType":"create","record":\#(record)}]}"#)
        try done(answer)
        let guid = try #require(Bodies.string("shortGUID", in: answer.body))
        guids[name] = guid
    }

    private func accept(_ share: String, by who: Who) async throws {
        let answer = await users[who]?.post("public/records/accept", link(share))
        try done(try #require(answer))
    }

    private func link(_ share: String) -> String { #"{"shortGUIDs":[{"value":"\#(guids[share] ?? "")"}]}"# }

    private func leave(_ share: String, _ zone: String, _ who: Who) async throws {
        let body =
            #"{"zoneID":\#(try zoneID(zone, "shared")),"operations":[{"operationType":"forceDelete","#
            + #""record":{"recordName":"\#(share)"}}]}"#
        let answer = await users[who]?.post("shared/records/modify", body)
        try done(try #require(answer))
    }

    /// Saves the share without one of its participants.
    private func remove(_ who: Who, from share: String) async throws {
        let found = try await owner.post(
            "private/records/lookup", #"{"zoneID":{"zoneName":"Trees"},"records":[{"recordName":"\#(share)"}]}"#)
        try done(found)
        let people: [(Who, String)] = [
            (.invited, "READ_WRITE"), (.reader, "READ_ONLY"), (.writer, "READ_WRITE"), (.administrator, "READ_WRITE"),
        ]
        let participants = people.map { who, permission in
            #"{"type":"\#(who == .administrator ? "ADMINISTRATOR" : "USER")","permission":"\#(permission)","#
                + #""userIdentity":{"lookupInfo":{"emailAddress":"\#(who.email)"}}}"#
        }.joined(separator: ",")
        let tag = try #require(Bodies.string("recordChangeTag", in: found.body))
        let record =
            #"{"recordName":"\#(share)","recordType":"cloudkit.share","recordChangeTag":"\#(tag)","#
            + #""participants":[\#(participants)]}"#
        try done(
            try await owner.post(
                "private/records/modify",
                #"{"zoneID":{"zoneName":"Trees"},"operations":[{"operationType":"update","record":\#(record)}]}"#))
    }

    // MARK: Asking

    func ask(_ row: Row, by who: Who) async throws -> TestAnswer {
        if row.operation == "keep" { return try await keep(row, who) }
        let (operation, json) = try await request(row, who)
        return await send("\(row.scope)/\(operation)", json, who)
    }

    /// Asks for a place to upload to, uploads, and saves the record with it: the first refusal, or the last answer.
    private func keep(_ row: Row, _ who: Who) async throws -> TestAnswer {
        let zone = try zoneID(row.zone, row.scope)
        let token = #"{"recordName":"\#(row.record)","recordType":"Note","fieldName":"photo"}"#
        let place = await send("\(row.scope)/assets/upload", #"{"zoneID":\#(zone),"tokens":[\#(token)]}"#, who)
        guard let url = Bodies.string("url", in: place.body) else { return place }
        let path = url.split(separator: "/", maxSplits: 2).last.map { "/\($0)" } ?? ""
        let uploaded = await cloud.send("POST", path, body: Array("photo of \(who)".utf8))
        guard let file = try? AssetClient.file(in: uploaded) else {
            return TestAnswer(status: uploaded.status, body: String(decoding: uploaded.body, as: UTF8.self))
        }
        return await send(
            "\(row.scope)/records/modify",
            #"{"zoneID":\#(zone),"operations":[{"operationType":"forceUpdate","record":{"recordName":"\#(row.record)","#
                + #""recordType":"Note","fields":{"photo":{"value":\#(file)}}}}]}"#, who)
    }

    private func send(_ path: String, _ json: String, _ who: Who) async -> TestAnswer {
        if let user = users[who] { return await user.post(path, json) }
        if who == .key { return await keyed.send(path, json) }
        let query = who == .token ? "?ckAPIToken=\(TestCloud.apiToken())" : ""
        return await cloud.request(
            "POST", "/database/1/\(TestCloud.container)/development/\(path)\(query)", json: json)
    }

    private func request(_ row: Row, _ who: Who) async throws -> (operation: String, json: String) {
        let zone = try row.zone == "-" ? "{}" : zoneID(row.zone, row.scope)
        let query = #""query":{"recordType":"Note"},"resultsLimit":200"#
        func subscribe(_ kind: String) -> (String, String) {
            let id = "\(row.operation)-\(who)"
            return (
                "subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"\#(id)",\#(kind)}}]}"#
            )
        }
        switch row.operation {
        case "lookup": return ("records/lookup", #"{"zoneID":\#(zone),"records":[{"recordName":"\#(row.record)"}]}"#)
        case "query": return ("records/query", #"{"zoneID":\#(zone),\#(query)}"#)
        case "queryWide": return ("records/query", #"{"zoneWide":true,\#(query)}"#)
        case "feed": return ("changes/zone", #"{"zones":[{"zoneID":\#(zone),"resultsLimit":200}]}"#)
        case "listed": return ("zones/list", "{}")
        case "changed": return ("changes/database", "{}")
        case "records": return ("records/changes", #"{"zoneID":\#(zone),"resultsLimit":200}"#)
        case "zones": return ("zones/changes", "{}")
        case "again":
            return (
                "assets/rereference",
                #"{"zoneID":\#(zone),"assets":[{"recordName":"\#(row.record)","fieldName":"photo"}]}"#
            )
        case "zone": return ("zones/lookup", #"{"zones":[\#(zone)]}"#)
        case "update" where ["S", "cloudkit.zoneshare"].contains(row.record):
            return ("records/modify", try await saveShare(row, zone))
        case "update": return ("records/modify", try save("forceUpdate", row.record, nil, row.zone, row.scope))
        case "create": return ("records/modify", try save("create", made(row, who), nil, row.zone, row.scope))
        case "createIn":
            return ("records/modify", try save("create", made(row, who), row.record, row.zone, row.scope))
        case "moveOut":
            return (
                "records/modify",
                #"{"zoneID":\#(zone),"operations":[{"operationType":"forceUpdate","record":{"#
                    + #""recordName":"\#(doomed(row.record, who))","recordType":"Note","parent":{"recordName":"out"}}}]}"#
            )
        case "share":
            return (
                "records/modify",
                #"{"zoneID":\#(zone),"operations":[{"operationType":"create","record":{"recordName":"T-\#(who)","#
                    + #""recordType":"cloudkit.share","forRecord":{"recordName":"\#(row.record)"}}}]}"#
            )
        case "delete": return ("records/modify", delete([doomed(row.record, who)], zone))
        case "deleteToo": return ("records/modify", delete([row.record, "none"], zone))
        case "makeZone", "dropZone":
            let type = row.operation == "makeZone" ? "create" : "delete"
            return ("zones/modify", #"{"operations":[{"operationType":"\#(type)","zone":{"zoneID":\#(zone)}}]}"#)
        case "onDatabase": return subscribe(#""subscriptionType":"database""#)
        case "onZone": return subscribe(#""subscriptionType":"zone","zoneID":\#(zone)"#)
        case "onQuery":
            return subscribe(#""subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["create"]"#)
        case "resolve", "accept": return ("records/\(row.operation)", link(row.record))
        default: preconditionFailure("the table has an unknown operation: \(row)")
        }
    }

    private func made(_ row: Row, _ who: Who) -> String { "made-\(row.operation)-\(row.record)-\(row.scope)-\(who)" }

    private func save(_ type: String, _ name: String, _ parent: String?, _ zone: String, _ scope: String) throws
        -> String
    {
        let lies = parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? ""
        return
            #"{"zoneID":\#(try zoneID(zone, scope)),"operations":[{"operationType":"\#(type)","record":{"#
            + #""recordName":"\#(name)","recordType":"Note","fields":{"title":{"value":"t"}}\#(lies)}}]}"#
    }

    private func delete(_ names: [String], _ zone: String) -> String {
        let operations = names.map { #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"# }
        return #"{"zoneID":\#(zone),"atomic":false,"operations":[\#(operations.joined(separator: ","))]}"#
    }

    /// A save of a share with the tag that it has.
    private func saveShare(_ row: Row, _ zone: String) async throws -> String {
        let found = try await owner.post(
            "private/records/lookup",
            #"{"zoneID":{"zoneName":"\#(row.zone)"},"records":[{"recordName":"\#(row.record)"}]}"#)
        let tag = try #require(Bodies.string("recordChangeTag", in: found.body))
        return
            #"{"zoneID":\#(zone),"operations":[{"operationType":"update","record":{"recordName":"\#(row.record)","#
            + #""recordType":"cloudkit.share","recordChangeTag":"\#(tag)","fields":{"cloudkit.title":{"value":"t"}}}}]}"#
    }

    /// Whether an answer that says so has deleted nothing.
    func isUnchanged(_ row: Row, _ who: Who) async throws -> Bool {
        switch row.operation {
        case "delete", "deleteToo":
            let name = row.operation == "delete" ? doomed(row.record, who) : row.record
            let scope = row.scope == "public" ? "public" : "private"
            let found = try await owner.post(
                "\(scope)/records/lookup",
                #"{"zoneID":\#(try zoneID(row.zone, scope)),"records":[{"recordName":"\#(name)"}]}"#)
            return !found.body.contains("serverErrorCode")
        default: return false
        }
    }
}
