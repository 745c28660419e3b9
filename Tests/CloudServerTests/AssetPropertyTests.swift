import CloudStorage
import CloudTestSupport
import CloudCore
import HTTPCore
import SQLCore
import Testing

/// Random lives of assets, beside a model of what must be there.
@Suite struct AssetPropertyTests {
    /// Seconds.
    private static let (receipts, retention) = (1000, 100)

    @Test(arguments: CloudSetUp.available.filter { $0.way == .inProcess }, [1, 2, 3, 4] as [UInt64])
    func `whatever is done, each record has its assets, each asset a record, and nothing else is left`(
        on setUp: CloudSetUp, seed: UInt64
    ) async throws {
        var limits = CloudLimits()
        (limits.assetReceiptSeconds, limits.assetRetentionSeconds) = (Self.receipts, Self.retention)
        try await setUp.withCloud(limits: limits, clock: ManualClock(step: 0)) { cloud in
            var life = AssetLife(
                client: AssetClient(user: try await cloud.signIn("anna@example.org")), collector: try cloud.collector(),
                seed: seed)
            for step in 0..<120 {
                try await life.step()
                if step % 20 == 19 { try await life.check("seed \(seed), step \(step)") }
            }
            try await life.check("seed \(seed)")
            // What nobody saved ends, and what nobody holds goes.
            for seconds in [Self.receipts + 601, Self.retention + 1] {
                cloud.clock.advance(milliseconds: Int64(seconds) * 1000)
                try await life.collector.collect()
            }
            let held = Set(life.records.values.flatMap { $0.values.flatMap(\.values) })
            #expect(try cloud.assetFiles().whole.count == held.count, "seed \(seed)")
            #expect(try cloud.assetFiles().uploads == [])
            try await life.check("seed \(seed), at the end")
            let (bytes, receipts) = try await cloud.store.read { transaction in
                func sum(_ sql: String) throws -> Int64 {
                    try transaction.connection.first(sql) { $0.integer(0) } ?? -1
                }
                return (try sum("SELECT COUNT(*) FROM asset_file"), try sum("SELECT COUNT(*) FROM asset_receipt"))
            }
            #expect(bytes == Int64(held.count) && receipts == 0)
        }
    }
}

/// One client's assets.
private struct AssetLife {
    let client: AssetClient
    let collector: AssetCollector
    /// Contents, each a number of bytes of that value, by zone, record and field.
    private(set) var records: [String: [String: [String: UInt8]]] = ["": [:], "Album": [:], "Other": [:]]

    /// Uploads and new references that wait to be saved; `field` is `nil` where any will do.
    private struct Waiting {
        let value: String
        let content: UInt8
        let field: String?
        /// Milliseconds since 1970.
        let end: Int64
    }

    private var waiting: [Waiting] = []
    private var random: Drawing
    private var isMade: Set<String> = [""]

    private struct Drawing: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    init(client: AssetClient, collector: AssetCollector, seed: UInt64) {
        (self.client, self.collector) = (client, collector)
        random = Drawing(state: seed)
    }

    private struct Unexpected: Error {
        let description: String
    }

    private static func bytes(_ content: UInt8) -> [UInt8] { [UInt8](repeating: content, count: Int(content) * 100) }

    private mutating func draw(_ choices: String...) -> String { choices.randomElement(using: &random) ?? "" }

    private func at(_ zone: String) -> AssetClient {
        var client = client
        if !zone.isEmpty { client.zone = zone }
        return client
    }

    private func saved(_ answer: TestAnswer) throws {
        guard answer.status == 200, !answer.body.contains("serverErrorCode") else {
            throw Unexpected(description: answer.body)
        }
    }

    mutating func step() async throws {
        let zone = draw("", "Album", "Other")
        if isMade.insert(zone).inserted {
            try saved(await client.user.post("private/zones/modify", Bodies.zone("create", zone)))
        }
        let (record, field) = (draw("a", "b", "c"), draw("photo", "copy"))
        let now = client.user.cloud.clock.now
        let own = at(zone)
        switch Int.random(in: 0..<16, using: &random) {
        case 0...3:
            let content = UInt8.random(in: 0..<6, using: &random)
            let value = try await own.upload(Self.bytes(content), for: record, field)
            waiting.append(Waiting(value: value, content: content, field: field, end: now + 1_000_000))
        case 4...8:
            guard let place = waiting.indices.randomElement(using: &random) else { return }
            let upload = waiting[place]
            let answer = await own.save(record, upload.value, upload.field ?? field)
            if upload.end <= now {
                // The same bytes may be there by now; then it is as if they were sent back.
                if !answer.body.contains("serverErrorCode") {
                    guard records[zone]?[record]?[upload.field ?? field] == upload.content else {
                        throw Unexpected(description: "a receipt that has ended was taken")
                    }
                }
            } else {
                try saved(answer)
                records[zone]?[record, default: [:]][upload.field ?? field] = upload.content
            }
            waiting.remove(at: place)
        case 9:
            guard let content = records[zone]?[record]?[field] else { return }
            let value =
                #"{"fileChecksum":"\#(AssetClient.checksum(Self.bytes(content)))","size":\#(Int(content) * 100)}"#
            try saved(await own.save(record, value, field))
        case 10:
            try saved(await own.save(record, "null", field))
            records[zone]?[record, default: [:]][field] = nil
        case 11:
            try saved(
                await client.user.post(
                    "private/records/modify", Bodies.delete(record, zone: zone.isEmpty ? nil : zone)))
            records[zone]?[record] = nil
        case 12:
            guard !zone.isEmpty else { return }
            try saved(await client.user.post("private/zones/modify", Bodies.zone("delete", zone)))
            isMade.remove(zone)
            records[zone] = [:]
        case 13:
            guard let content = records[zone]?[record]?[field] else { return }
            let zonePart = zone.isEmpty ? "" : #""zoneID":{"zoneName":"\#(zone)"},"#
            let answer = await client.user.post(
                "private/assets/rereference",
                #"{\#(zonePart)"assets":[{"recordName":"\#(record)","fieldName":"\#(field)"}]}"#)
            try saved(answer)
            let value = String(answer.body.dropFirst(#"{"assets":["#.count).prefix { $0 != "}" }) + "}"
            waiting.append(Waiting(value: value, content: content, field: nil, end: now + 1_000_000))
        case 14:
            client.user.cloud.clock.advance(milliseconds: .random(in: 1000...600_000, using: &random))
        default:
            try await collector.collect()
        }
    }

    /// Looks at all records and at the files.
    func check(_ moment: String) async throws {
        for (zone, names) in records where isMade.contains(zone) {
            for name in ["a", "b", "c"] {
                guard let fields = names[name] else {
                    #expect(await at(zone).lookUp(name).isRefusal("NOT_FOUND"), "\(moment): \(zone)/\(name)")
                    continue
                }
                for field in ["photo", "copy"] {
                    guard let content = fields[field] else {
                        #expect(
                            await !at(zone).lookUp(name).body.contains("\"\(field)\""), "\(moment): \(zone)/\(name)")
                        continue
                    }
                    let found = await client.download(try await at(zone).downloadPath(name, field))
                    #expect(found.body == Self.bytes(content), "\(moment): \(zone)/\(name) \(field)")
                }
            }
        }
        #expect(try await client.user.cloud.problems() == [], "\(moment)")
        #expect(try client.user.cloud.assetFiles().uploads == [], "\(moment)")
        let now = client.user.cloud.clock.now
        let needed = Set(records.values.flatMap { $0.values.flatMap(\.values) })
            .union(waiting.filter { $0.end > now }.map(\.content))
        #expect(try client.user.cloud.assetFiles().whole.count >= needed.count, "\(moment)")
    }
}
