import CloudCore
import Foundation
import Testing

@testable import CloudKit

@Suite struct ErrorTests {
    @Test func `an error keeps the server's reason as its description`() {
        let error: any Error = CKError(CloudError(.notFound, "no record 'x'"), scope: .private)
        #expect(error.localizedDescription == "no record 'x'")
        #expect((error as NSError).domain == CKErrorDomain)
        #expect((error as NSError).code == 11)
        #expect((error as? CKError)?.code == .unknownItem)
        let bridged = CKError(_nsError: NSError(domain: CKErrorDomain, code: 11, userInfo: ["key": "value"]))
        #expect(bridged.code == .unknownItem && bridged.userInfo["key"] as? String == "value")
        #expect(CKError(.zoneBusy).localizedDescription == "Zone Busy")
    }

    @Test func `a catch clause can name a code`() {
        do {
            throw CKError(.zoneNotFound)
        } catch CKError.unknownItem {
            Issue.record("the wrong clause")
        } catch CKError.zoneNotFound {
            // the right one
        } catch {
            Issue.record("no clause")
        }
    }

    @Test(arguments: [
        (CloudError(.badRequest, ""), CKError.Code.invalidArguments),
        (CloudError(.badRequest, "", nativeCode: 21), .changeTokenExpired),
        (CloudError(.badRequest, "", nativeCode: 9999), .invalidArguments),
        (CloudError(.accessDenied, ""), .permissionFailure), (CloudError(.atomicError, ""), .batchRequestFailed),
        (CloudError(.exists, ""), .serverRecordChanged), (CloudError(.throttled, ""), .requestRateLimited),
        (CloudError(.tryAgainLater, "", nativeCode: 23), .zoneBusy), (CloudError(.zoneNotFound, ""), .zoneNotFound),
        (CloudError(.authenticationRequired, ""), .notAuthenticated),
        (CloudError(.validatingReferenceError, ""), .referenceViolation),
        (CloudError(.internalError, ""), .internalError),
    ])
    func `a refusal of the service becomes the native code`(_ refusal: CloudError, _ code: CKError.Code) {
        #expect(CKError(refusal, scope: .private).code == code)
    }

    @Test func `a conflict carries the three records, the ancestor of a new one without fields`() throws {
        let zone = ZoneID(name: "Notes", owner: "_me")
        let stamp = RecordStamp(timestamp: 1000, userRecordName: "_me", deviceID: "d")
        var server = Record(
            id: RecordID(name: "r", zone: zone), type: "Note", changeTag: "1", fields: ["n": .int64(1)], created: stamp,
            modified: stamp)
        let client = CKRecord(record: server, Viewpoint(scope: .private))
        client["n"] = 2
        server.fields["n"] = .int64(3)
        server.changeTag = "2"
        let refusal = CloudError(.conflict, "client oplock error updating record", serverRecord: server)
        let error = CKError(refusal, Viewpoint(scope: .private), client: client)
        #expect(error.code == .serverRecordChanged)
        #expect(error.clientRecord === client)
        #expect(error.serverRecord?["n"] as? Int == 3)
        #expect(error.serverRecord?.recordChangeTag == "2")
        #expect(error.ancestorRecord?["n"] as? Int == 1)
        let fresh = CKRecord(recordType: "Note")
        fresh["n"] = 5
        let ancestor = CKError(refusal, Viewpoint(scope: .private), client: fresh).ancestorRecord
        #expect(ancestor?.recordID == fresh.recordID && ancestor?.recordChangeTag == nil)
        #expect(ancestor?.allKeys() == [] && ancestor?.changedKeys() == [])
    }

    @Test func `retry and partial errors have their accessors`() {
        let throttled = CKError(CloudError(.throttled, "slow", retryAfter: 2.5), scope: .private)
        #expect(throttled.retryAfterSeconds == 2.5)
        let id = CKRecord.ID(recordName: "r")
        let items: [AnyHashable: any Error] = [id: CKError(.unknownItem)]
        let partial = CKError(.partialFailure, userInfo: [CKPartialErrorsByItemIDKey: items])
        #expect((partial.partialErrorsByItemID?[id] as? CKError)?.code == .unknownItem)
    }
}
