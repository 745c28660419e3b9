import CloudKit
import Glibc

/// What the module takes for many records of 500 bytes: saved in batches by one device, then fetched by another that has
/// none of them.
struct Records {
    let server: URL
    private static let container = "iCloud.org.cumulet.records"
    private static let batch = 400
    /// Records that are saved against the clock; the others only fill the zone.
    private static let timed = 10_000

    func measure(count: Int) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // a scratch folder; nothing rests on it
        let writer = try await database(of: "writer", in: folder)
        let zone = try await writer.save(CKRecordZone(zoneName: "Records")).zoneID
        var records: [CKRecord] = []
        for number in 0..<max(count, Self.timed) {
            let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n\(number)", zoneID: zone))
            record["title"] = "title \(number)"
            record["body"] = Data(repeating: UInt8(truncatingIfNeeded: number), count: 480)
            records.append(record)
        }
        let clock = ContinuousClock()
        let saving = try await clock.measure { try await save(records.prefix(Self.timed), in: writer) }
        try await save(records.dropFirst(Self.timed), in: writer)

        let reader = try await database(of: "reader", in: folder)
        let (cpu, start) = (Self.processorTime(), clock.now)
        let found = try await fetch(zone, from: reader)
        let (fetching, used) = (clock.now - start, Self.processorTime() - cpu)
        guard found == records.count else { return "\(found) of \(records.count) records came" }
        return """
            module: \(rate(Self.timed, saving)) records saved a second in batches of \(Self.batch); \(rate(found, fetching)) \
            fetched a second of \(found), \(rate(found, used)) for each second of the process's CPU
            """
    }

    private func database(of name: String, in folder: URL) async throws -> CKDatabase {
        let device = CloudDevice(folder: folder.appending(path: name))
        try await device.signIn("records@example.com", server: server)
        return device.withCurrent { CKContainer(identifier: Self.container).privateCloudDatabase }
    }

    private func save(_ records: ArraySlice<CKRecord>, in database: CKDatabase) async throws {
        var rest = records
        while !rest.isEmpty {
            let results = try await database.modifyRecords(saving: Array(rest.prefix(Self.batch)), deleting: [])
            for result in results.saveResults.values { _ = try result.get() }
            rest = rest.dropFirst(Self.batch)
        }
    }

    private func fetch(_ zone: CKRecordZone.ID, from database: CKDatabase) async throws -> Int {
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zone], configurationsByRecordZoneID: [zone: .init()])
        nonisolated(unsafe) var count = 0  // the operation calls its blocks one after the other
        operation.recordWasChangedBlock = { _, result in
            if case .success = result { count += 1 }
        }
        try await withCheckedThrowingContinuation { continuation in
            operation.fetchRecordZoneChangesResultBlock = { continuation.resume(with: $0) }
            database.add(operation)
        }
        return count
    }

    private func rate(_ count: Int, _ time: Duration) -> String {
        String(Int(Double(count) / (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)))
    }

    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
