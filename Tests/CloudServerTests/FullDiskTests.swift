import CloudServer
import CloudStorage
import CloudTestSupport
import HTTPCore
import SQLCore
import Testing

/// A database that may not grow any more.
@Suite struct FullDiskTests {
    private func limitPages(of cloud: TestCloud, to count: (Int64) -> Int64) async throws {
        let pages = try await cloud.store.read { transaction in
            try transaction.connection.first("PRAGMA page_count") { $0.integer(0) }
        }
        let limit = count(try #require(pages))
        try await cloud.store.write { try $0.connection.script("PRAGMA max_page_count = \(limit)") }
    }

    @Test func `a full disk refuses saves by name, to be tried again, and the service lives on`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/records/modify", Bodies.note("n1", title: "milk"))
        try await limitPages(of: cloud) { $0 }

        let large = Bodies.note("n2", title: String(repeating: "x", count: 500_000))
        let refused = await cloud.send("POST", user.path("private/records/modify"), body: Array(large.utf8))
        let text = String(decoding: refused.body, as: UTF8.self)
        #expect(refused.status == 503 && refused.headers["Retry-After"] == "60", "\(text)")
        #expect(text.contains("TRY_AGAIN_LATER") && text.contains("the service's disk is full"), "\(text)")
        #expect(text.contains(#""retryAfter":60"#))
        #expect(cloud.log.last?.detail?.contains("full") == true)

        let read = await user.post("private/records/lookup", #"{"records":[{"recordName":"n1"},{"recordName":"n2"}]}"#)
        #expect(read.status == 200 && read.body.contains("milk") && read.body.contains("NOT_FOUND"))
        try await limitPages(of: cloud) { $0 + 10_000 }
        let saved = await user.post("private/records/modify", large)
        #expect(saved.status == 200 && !saved.body.contains("serverErrorCode"))
        await cloud.close()
    }
}
