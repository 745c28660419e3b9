import Testing

@testable import CloudCommands

/// What `cumulet open --app` takes.
@Suite struct `The address of an app` {
    @Test func `is the one it printed, with the token`() throws {
        _ = try ShownApp("http://127.0.0.1:8791/?token=0f")
    }

    @Test(arguments: [
        "", "phone", "http://127.0.0.1:8791/", "http://127.0.0.1:8791/?token=", "https://example.com/?token=0f",
        "http://127.0.0.1:8791@example.com/?token=0f", "http://127.0.0.1:8791/?token=0f/?token=0f",
        "http://127.0.0.1:8791/?token=0f\r\nX: y",
    ])
    func `is nothing else, lest the token go elsewhere`(address: String) {
        #expect(throws: Failure.self) { try ShownApp(address) }
    }

    @Test func `is told in words when nothing answers there`() async throws {
        let app = try ShownApp("http://127.0.0.1:1/?token=0f")
        let failure = await #expect(throws: Failure.self) { try await app.open("https://example.com/share/0") }
        #expect(failure?.description.hasPrefix("the app at http://127.0.0.1:1 does not answer: ") == true)
    }
}
