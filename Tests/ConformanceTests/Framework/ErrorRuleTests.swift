import CloudCore
import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `An error` {
    @Test func `that asks to be tried again says when`() async throws {
        var limits = CloudLimits()
        limits.requestsPerSecond = 1
        limits.requestBurst = 5
        try await quick.withCloud(limits: limits, clock: ManualClock(step: 0)) { cloud in
            let database = try await Phones(cloud: cloud).database()
            var found: CKError?
            for _ in 0..<20 where found == nil {
                do { _ = try await database.allRecordZones() } catch { found = error as? CKError }
            }
            #expect(found?.code == .requestRateLimited)
            #expect(try #require(found?.retryAfterSeconds) > 0)
        }
    }

    @Test func `has CloudKit's domain and number as NSError, and no accessor without its key`() {
        let error = CKError(.zoneBusy, userInfo: [CKErrorRetryAfterKey: 3.0])
        #expect((error as NSError).domain == CKErrorDomain && (error as NSError).code == 23)
        #expect(error.retryAfterSeconds == 3)
        let bare = CKError(.unknownItem)
        #expect(bare.retryAfterSeconds == nil && bare.partialErrorsByItemID == nil)
        #expect(bare.clientRecord == nil && bare.serverRecord == nil && bare.ancestorRecord == nil)
        #expect(CKError.unknownItem == .unknownItem && bare.code == CKError.unknownItem)
        let text = String(describing: CKError(.invalidArguments, userInfo: [NSLocalizedDescriptionKey: "why"]))
        #expect(text.contains("Invalid Arguments") && text.contains("12") && text.contains("why"))
    }

    @Test func `of a write whose answer was lost is serverResponseLost, of a read networkFailure`() async throws {
        try await quick.withPhones { phones in
            let transport = FaultyTransport(phones.cloud.transport)
            let database = Phones.container(on: try await phones.device(transport: transport)).privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            transport.loseReply(to: "records/modify")
            let write = await #expect(throws: CKError.self) { try await database.save(note("n")) }
            #expect(write?.code == .serverResponseLost)
            #expect(try await database.record(for: noteID("n")).recordChangeTag != nil, "it may have worked")
        }
    }
}
