import CloudKit
import ExampleSupport
import Foundation
import LastPersonCore
import Testing

struct LastPersonBookTests {
    @Test func `a partial failure is unpacked to the record's own error`() throws {
        let id = CKRecord.ID(recordName: "lastPerson")
        let inner = CKError(.serverRecordChanged, userInfo: [NSLocalizedDescriptionKey: "newer"])
        let outer = CKError(.partialFailure, userInfo: [CKPartialErrorsByItemIDKey: [id: inner as any Error]])
        let cause = try #require(LastPersonBook.cause(of: outer) as? CKError)
        #expect(cause.code == .serverRecordChanged)
    }

    @Test func `another failure stays what it is`() throws {
        let cause = try #require(LastPersonBook.cause(of: CKError(.networkUnavailable)) as? CKError)
        #expect(cause.code == .networkUnavailable)
    }
}

/// These talk to a `cumulet dev` of their own, found beside the examples; they are skipped where it is not built.
@Suite(.enabled(if: DevService.executable != nil))
struct LastPersonServiceTests {
    @Test func `the last writer wins and the other device reads it`() throws {
        let service = try DevService()
        defer { service.stop() }
        try service.signIn("phone", "ada@example.com")
        try service.signIn("tablet", "ada@example.com")
        #expect(try service.run("lastperson", on: "phone") == "nobody yet")
        #expect(try service.run("lastperson", ["Ada"], on: "phone") == "Ada")
        #expect(try service.run("lastperson", ["Grace"], on: "tablet") == "Grace")
        #expect(try service.run("lastperson", on: "phone") == "Grace")
    }
}
