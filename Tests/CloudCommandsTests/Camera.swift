import CloudTestSupport
import Foundation
import HTTPClient
import HTTPCore
import Testing

/// A device that saves photos, as somebody else's client would.
struct Camera: Sendable {
    private let device: ServiceDevice

    init(at server: String, container: String) async throws {
        device = try await ServiceDevice(
            "camera", of: "crash@example.com", at: server, container: container,
            apiToken: String(repeating: "c", count: 64))
    }

    /// One of several, of several sizes.
    static func photo(_ seed: UInt8) -> [UInt8] {
        [UInt8](repeating: seed, count: 1 + Int(seed) * 100_000)
    }

    private func uploadURL(_ name: String) async throws -> String {
        let tokens = try await call(
            "assets/upload", ["tokens": [["recordName": name, "recordType": "Photo", "fieldName": "photo"]]])
        guard let url = (tokens["tokens"] as? [[String: Any]])?.first?["url"] as? String else {
            throw CancellationError()
        }
        return url
    }

    /// Sends half of a file.
    /// - Returns: The connection, which is to be left; `nil` when there is none.
    func beginUpload() async -> RawClient? {
        do {
            let url = try #require(URL(string: try await uploadURL("half")))
            let client = RawClient(port: UInt16(try #require(url.port)))
            client.send("PUT \(url.path) HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\n")
            client.send([UInt8](repeating: 7, count: 1_000_000))
            return client
        } catch {
            Issue.record("an upload cannot be begun: \(error)")
            return nil
        }
    }

    /// Uploads and saves a photo; false when no success was heard of.
    /// - Parameter step: Told before each request.
    func save(_ name: String, _ bytes: [UInt8], _ step: () -> Void) async -> Bool {
        do {
            step()
            let url = try await uploadURL(name)
            step()
            let sent = try await CurlTransport().send(
                HTTPRequest(method: "POST", target: url, body: bytes), timeout: .seconds(60))
            let answer = try JSONSerialization.jsonObject(with: Data(sent.body)) as? [String: Any]
            guard sent.status == 200, let file = answer?["singleFile"] else { return false }
            step()
            return try await modify(
                [
                    "operationType": "forceReplace",
                    "record": ["recordType": "Photo", "recordName": name, "fields": ["photo": ["value": file]]],
                ])
        } catch {
            return false
        }
    }

    func delete(_ name: String) async -> Bool {
        do {
            return try await modify(["operationType": "forceDelete", "record": ["recordName": name]])
        } catch {
            return false
        }
    }

    /// The photo that a record holds; `nil` when there is no record.
    func photo(of name: String) async throws -> [UInt8]? {
        let answer = try await call("records/lookup", ["records": [["recordName": name]]])
        let record = try #require((answer["records"] as? [[String: Any]])?.first)
        if record["serverErrorCode"] as? String == "NOT_FOUND" { return nil }
        let field = (record["fields"] as? [String: Any])?["photo"] as? [String: Any]
        let url = try #require((field?["value"] as? [String: Any])?["downloadURL"] as? String, "\(record)")
        let found = try await CurlTransport().send(HTTPRequest(method: "GET", target: url), timeout: .seconds(60))
        #expect(found.status == 200, "\(name): \(found.text)")
        return found.body
    }

    private func modify(_ operation: [String: Any]) async throws -> Bool {
        let answer = try await call("records/modify", ["operations": [operation]])
        let record = (answer["records"] as? [[String: Any]])?.first
        return record != nil && record?["serverErrorCode"] == nil
    }

    private func call(_ operation: String, _ body: [String: Any]) async throws -> [String: Any] {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        let answer = try await device.post("private/\(operation)", text)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any], "\(answer.text)")
    }
}
