import CloudKit
import CloudTestSupport
import Testing

/// Values through the module, the wire, the store and back.
@Suite struct `A value` {
    static let integers: [Int64] = [.min, .min + 1, -1, 0, 1, 9_007_199_254_740_993, .max - 1, .max]
    static let doubles: [Double] = [
        -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude.nextDown, 0.1 + 0.2, 1.0 / 3,
        1.7976931348623157e308, 123456789.0,
    ]

    @Test(arguments: CloudSetUp.available)
    func `that is a number comes back to the bit`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let record = note("n")
            for (index, value) in Self.integers.enumerated() { record["i\(index)"] = value }
            for (index, value) in Self.doubles.enumerated() { record["d\(index)"] = value }
            record["integers"] = Self.integers
            record["doubles"] = Self.doubles
            record["narrow"] = Int8(-128)
            record["unsigned"] = UInt64(Int64.max)
            record["yes"] = true
            record["no"] = false
            try await phone.save(record)
            let found = try await tablet.record(for: record.recordID)
            for (index, value) in Self.integers.enumerated() { #expect(found["i\(index)"] as? Int64 == value) }
            for (index, value) in Self.doubles.enumerated() {
                #expect((found["d\(index)"] as? Double)?.bitPattern == value.bitPattern)
            }
            #expect(found["integers"] as? [Int64] == Self.integers)
            #expect((found["doubles"] as? [Double])?.map(\.bitPattern) == Self.doubles.map(\.bitPattern))
            #expect(found["narrow"] as? Int64 == -128)
            #expect(found["unsigned"] as? UInt64 == UInt64(Int64.max))
            #expect(found["yes"] as? Bool == true && found["yes"] as? Int == 1)
            #expect(found["no"] as? Bool == false && found["no"] as? Int == 0)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `that is no number, or more than 64 bits hold, is refused by its field's name and stores nothing`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let bad: [any CKRecordValueProtocol] = [
                Double.nan, Double.infinity, -Double.infinity, UInt64.max, UInt64(Int64.max) + 1,
                [1.5, Double.nan], [UInt64.max], Float.nan, Date(timeIntervalSince1970: .infinity),
                Date(timeIntervalSince1970: .nan), Date(timeIntervalSince1970: 1e300),
            ]
            for value in bad {
                let record = note("n", title: "x")
                record["bad"] = value
                let error = try await phone.result(of: record)?.ckError
                #expect(error?.code == .invalidArguments, "\(value)")
                #expect(error?.localizedDescription.contains("'bad'") == true, "\(value): \(error as Any)")
            }
            #expect(try await phone.follow(since: nil).changed == [])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `that is a date is fixed to the millisecond by one round trip and not changed by the next`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            var dates: [Date] = [.distantPast, .distantFuture, Date(timeIntervalSince1970: 0)]
            // Year 1 to 9999, each a little further on in its year, of one millisecond each.
            for year in stride(from: 1, through: 9999, by: 357) {
                let days = Double(year - 1970) * 365.2425
                dates.append(Date(timeIntervalSince1970: (days * 86_400).rounded() + Double(year % 1000) / 1000))
            }
            dates.append(Date(timeIntervalSince1970: -62_135_596_800))  // 1 January 1
            dates.append(Date(timeIntervalSince1970: 253_402_300_799.999))  // the end of 9999
            dates += [1.234567891, -1.234567891, 1_750_000_000.999_999_9, 0.0005].map(Date.init(timeIntervalSince1970:))
            let record = note("n")
            record["dates"] = dates
            record["moment"] = dates[dates.count - 2]
            record["nanoseconds"] = Int64(1_750_000_000_999_999_999)
            let saved = try await phone.save(record)
            let first = try await tablet.record(for: record.recordID)
            let once = try #require(first["dates"] as? [Date])
            for (date, back) in zip(dates, once) {
                #expect(abs(back.timeIntervalSince(date)) <= 0.000_51, "\(date.timeIntervalSince1970)")
            }
            #expect(once.prefix(3) == dates.prefix(3))
            #expect(saved["dates"] as? [Date] == once)
            #expect(first["moment"] as? Date == once[dates.count - 2])
            #expect(first["nanoseconds"] as? Int64 == 1_750_000_000_999_999_999)
            first["dates"] = once
            try await tablet.save(first)
            #expect(try await phone.record(for: record.recordID)["dates"] as? [Date] == once)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `of a mebibyte of text from every plane comes back scalar by scalar`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let text = Self.everyPlane(bytes: 1_048_576 - "text".utf8.count)
            let record = note("n")
            record["text"] = text
            try await phone.save(record)
            let found = try #require(try await tablet.record(for: record.recordID)["text"] as? String)
            #expect(found.utf8.elementsEqual(text.utf8))
            record["text"] = text + "x"
            #expect(try await phone.result(of: record)?.code == .limitExceeded)
        }
    }

    /// Text of exactly so many bytes that visits every plane of Unicode.
    static func everyPlane(bytes: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var size = 0
        var value: UInt32 = 0
        while size < bytes - 4 {
            value = (value &+ 0x1_0007) % 0x11_0000
            guard let scalar = Unicode.Scalar(value) else { continue }
            scalars.append(scalar)
            size += UTF8.encode(scalar)?.count ?? 0
        }
        return String(scalars) + String(repeating: "a", count: bytes - size)
    }

    @Test(arguments: CloudSetUp.available)
    func `that is empty is another than none, and nil removes its key whatever the policy`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            for policy in [
                CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys,
            ] {
                let record = note("n\(policy.rawValue)", title: "set")
                record["text"] = ""
                record["data"] = Data()
                record["list"] = [String]()
                record["gone"] = "set"
                try await phone.save(record)
                let found = try await tablet.record(for: record.recordID)
                #expect(found["text"] as? String == "")
                #expect(found["data"] as? Data == Data())
                #expect((found["list"] as? [String])?.isEmpty == true)
                found["title"] = nil as String?
                found["gone"] = nil as String?
                #expect(Set(found.allKeys()) == ["text", "data", "list"])
                #expect(try await tablet.result(of: found, policy)?.isSuccess == true)
                let again = try await phone.record(for: record.recordID)
                #expect(again["title"] == nil as String? && again["gone"] == nil as String?)
                #expect(Set(again.allKeys()) == ["text", "data", "list"])
            }
        }
    }
}
