import CloudKit

/// The time from a save on one device until another device of the account is told.
struct Latency {
    let server: URL
    static let container = "iCloud.org.cumulet.push"

    func measure(rounds: Int) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // a scratch folder; nothing rests on it
        let writer = try await device(in: folder.appending(path: "writer"))
        let reader = try await device(in: folder.appending(path: "reader"))
        let watched = reader.withCurrent { CKContainer(identifier: Self.container).privateCloudDatabase }
        let database = writer.withCurrent { CKContainer(identifier: Self.container).privateCloudDatabase }
        let zone = try await database.save(CKRecordZone(zoneName: "Latency"))
        let subscription = CKRecordZoneSubscription(zoneID: zone.zoneID, subscriptionID: "latency")
        let info = CKSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        subscription.notificationInfo = info
        try await watched.save(subscription)
        var told = reader.notifications().makeAsyncIterator()

        let clock = ContinuousClock()
        var untilTold: [Duration] = []
        var untilSaved: [Duration] = []
        for round in 0...rounds {
            let record = CKRecord(
                recordType: "Note", recordID: CKRecord.ID(recordName: UUID().uuidString, zoneID: zone.zoneID))
            record["round"] = round
            let start = clock.now
            async let saved = database.save(record)
            _ = await told.next()
            let toldAt = clock.now
            _ = try await saved
            guard round > 0 else { continue }  // the first one opens connections
            untilTold.append(toldAt - start)
            untilSaved.append(clock.now - start)
        }
        return """
            save to notification: median \(milliseconds(median(untilTold))) ms, slowest \
            \(milliseconds(untilTold.max() ?? .zero)) ms (until both answer and notification: median \
            \(milliseconds(median(untilSaved))) ms) over \(rounds) rounds
            """
    }

    private func device(in folder: URL) async throws -> CloudDevice {
        let device = CloudDevice(folder: folder)
        try await device.signIn("push@example.com", server: server)
        return device
    }

    private func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

    private func milliseconds(_ time: Duration) -> String {
        String(format: "%.2f", Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1000)
    }
}
