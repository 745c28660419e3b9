import CloudKit
import CloudTestSupport
import Testing

/// Values in queries and in pushes.
@Suite struct `A number or a date` {
    private static let dates = [
        Date.distantPast, Date(timeIntervalSince1970: -62_135_596_800), Date(timeIntervalSince1970: -0.001),
        Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_750_000_000.123), .distantFuture,
        Date(timeIntervalSince1970: 253_402_300_799.999),
    ]

    private func names(_ query: CKQuery, in database: CKDatabase) async throws -> [String] {
        try await database.records(matching: query, inZoneWith: notes).matchResults.map(\.0.recordName)
    }

    @Test(arguments: CloudSetUp.available)
    func `is found by its exact value and sorts by it, to both ends of its range`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let doubles = `A value`.doubles + [-1.5, 0, -.greatestFiniteMagnitude, .greatestFiniteMagnitude]
            var records: [CKRecord] = []
            for (index, value) in `A value`.integers.enumerated() {
                records.append(note("i\(index)"))
                records[records.count - 1]["i"] = value
            }
            for (index, value) in doubles.enumerated() {
                records.append(note("d\(index)"))
                records[records.count - 1]["d"] = value
            }
            for (index, value) in Self.dates.enumerated() {
                records.append(note("t\(index)"))
                records[records.count - 1]["t"] = value
            }
            #expect(try await phone.modifyRecords(saving: records, deleting: []).saveResults.failures().isEmpty)

            func find(_ format: String, _ value: Any) async throws -> Set<String> {
                Set(
                    try await names(
                        CKQuery(recordType: "Note", predicate: NSPredicate(format: format, value)), in: phone))
            }
            for (index, value) in `A value`.integers.enumerated() {
                #expect(try await find("i == %@", value) == ["i\(index)"], "\(value)")
            }
            for value in doubles {
                let equal = Set(doubles.indices.filter { doubles[$0] == value }.map { "d\($0)" })
                #expect(try await find("d == %@", value) == equal, "\(value)")
                let below = Set(doubles.indices.filter { doubles[$0] < value }.map { "d\($0)" })
                #expect(try await find("d < %@", value) == below, "\(value)")
            }
            for (index, value) in Self.dates.enumerated() {
                #expect(try await find("t == %@", value) == ["t\(index)"], "\(value)")
            }
            for (key, sorted) in [
                ("i", `A value`.integers.enumerated().sorted { $0.element < $1.element }.map { "i\($0.offset)" }),
                ("t", Self.dates.indices.map { "t\($0)" }),
            ] {
                let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
                query.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
                #expect(try await names(query, in: phone).filter { $0.hasPrefix(key) } == sorted)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: CloudSetUp.available)
    func `comes exactly in a push that was asked for it`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let tablet = Phones.container(on: device).privateCloudDatabase
            let phone = try await phones.databaseWithNotes()
            let subscription = CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "s",
                options: [.firesOnRecordCreation])
            subscription.notificationInfo = CKSubscription.NotificationInfo(desiredKeys: ["i", "d", "t"])
            try await tablet.save(subscription)
            var stream = device.notifications().makeAsyncIterator()
            let values: [(Int64, Double, Date)] = [
                (.min, -0.0, .distantPast), (.max, 0.1 + 0.2, .distantFuture),
                (9_007_199_254_740_993, .leastNonzeroMagnitude, Date(timeIntervalSince1970: 0.001)),
            ]
            for (index, value) in values.enumerated() {
                let record = note("n\(index)")
                record["i"] = value.0
                record["d"] = value.1
                record["t"] = value.2
                try await phone.save(record)
                let told = try #require(await stream.next() as? CKQueryNotification)
                let fields = try #require(told.recordFields)
                #expect(told.recordID == record.recordID)
                #expect((fields["i"] as? NSNumber)?.int64Value == value.0)
                #expect((fields["d"] as? NSNumber)?.doubleValue.bitPattern == value.1.bitPattern)
                #expect(fields["t"] as? Date == value.2)
            }
        }
    }
}
