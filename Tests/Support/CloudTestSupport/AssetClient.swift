import CloudCrypto
import CloudServer
package import CloudStorage
import Foundation
package import HTTPCore

/// What a client does with assets, step by step.
package struct AssetClient: Sendable {
    package let user: TestUser
    package var database: String
    package var zone: String?

    package init(user: TestUser, database: String = "private", zone: String? = nil) {
        self.user = user
        self.database = database
        self.zone = zone
    }

    package struct Unexpected: Error, CustomStringConvertible {
        package let description: String
    }

    private var zonePart: String { zone.map { #""zoneID":{"zoneName":"\#($0)"},"# } ?? "" }

    /// The path of the URL for one upload.
    package func uploadPath(_ record: String, _ field: String = "photo", type: String = "Photo") async throws -> String
    {
        let answer = await user.post(
            "\(database)/assets/upload",
            #"{\#(zonePart)"tokens":[{"recordName":"\#(record)","recordType":"\#(type)","fieldName":"\#(field)"}]}"#)
        guard let url = Self.string("url", in: answer.body) else { throw Unexpected(description: answer.body) }
        return try path(url)
    }

    package func path(_ url: String) throws -> String {
        let base = user.cloud.url
        guard url.hasPrefix(base) else { throw Unexpected(description: "\(url) is not at \(base)") }
        return String(url.dropFirst(base.count))
    }

    package func send(_ bytes: [UInt8], to path: String, type: String? = "application/octet-stream") async
        -> HTTPResponse
    {
        var headers = HTTPHeaders()
        if let type { headers.append("Content-Type", type) }
        return await user.cloud.send("POST", path, headers: headers, body: bytes)
    }

    /// Uploads bytes for a field.
    /// - Returns: The dictionary to save.
    package func upload(_ bytes: [UInt8], for record: String, _ field: String = "photo", type: String = "Photo")
        async throws
        -> String
    {
        let answer = await send(bytes, to: try await uploadPath(record, field, type: type))
        return try Self.file(in: answer)
    }

    /// The dictionary in the answer to an upload.
    package static func file(in answer: HTTPResponse) throws -> String {
        let text = String(decoding: answer.body, as: UTF8.self)
        let (start, end) = (#"{"singleFile":"#, "}")
        guard answer.status == 200, text.hasPrefix(start), text.hasSuffix(end) else {
            throw Unexpected(description: "\(answer.status) \(text)")
        }
        return String(text.dropFirst(start.count).dropLast(end.count))
    }

    @discardableResult
    package func save(
        _ record: String, _ value: String, _ field: String = "photo", type: String = "Photo",
        operation: String = "forceUpdate", tag: String? = nil
    ) async -> TestAnswer {
        let tagPart = tag.map { #""recordChangeTag":"\#($0)","# } ?? ""
        return await user.post(
            "\(database)/records/modify",
            #"{\#(zonePart)"operations":[{"operationType":"\#(operation)","record":{"recordName":"\#(record)","#
                + #""recordType":"\#(type)",\#(tagPart)"fields":{"\#(field)":{"value":\#(value)}}}}]}"#)
    }

    /// Uploads and saves.
    @discardableResult
    package func keep(_ bytes: [UInt8], in record: String, _ field: String = "photo") async throws -> TestAnswer {
        let answer = await save(record, try await upload(bytes, for: record, field), field)
        guard answer.status == 200, !answer.body.contains("serverErrorCode") else {
            throw Unexpected(description: answer.body)
        }
        return answer
    }

    package func lookUp(_ record: String) async -> TestAnswer {
        await user.post("\(database)/records/lookup", #"{\#(zonePart)"records":[{"recordName":"\#(record)"}]}"#)
    }

    /// The dictionary of the field as a look-up shows it.
    package func asset(_ record: String, _ field: String = "photo") async throws -> String {
        let answer = await lookUp(record)
        let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
        let fields = (object?["records"] as? [[String: Any]])?.first?["fields"] as? [String: Any]
        guard let value = (fields?[field] as? [String: Any])?["value"] as? [String: Any] else {
            throw Unexpected(description: answer.body)
        }
        let data = try JSONSerialization.data(withJSONObject: value, options: [.withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    package func downloadPath(_ record: String, _ field: String = "photo") async throws -> String {
        let asset = try await asset(record, field)
        guard let url = Self.string("downloadURL", in: asset) else { throw Unexpected(description: asset) }
        return try path(url)
    }

    package func download(_ path: String, _ headers: HTTPHeaders = [:], method: String = "GET") async -> HTTPResponse {
        await user.cloud.send(method, path, headers: headers)
    }

    /// The whole of `multipart/form-data` around a file.
    package static func form(_ bytes: [UInt8], name: String = "files", boundary: String = "xyz") -> [UInt8] {
        Array(
            ("preamble\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nnot the file\r\n"
                + "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a;b.jpg\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n").utf8)
            + bytes + Array("\r\n--\(boundary)--\r\nepilogue".utf8)
    }

    /// The first string member of that name.
    private static func string(_ name: String, in json: String) -> String? {
        let pieces = json.split(separator: "\"\(name)\":\"", maxSplits: 1)
        guard pieces.count == 2 else { return nil }
        return pieces[1].prefix { $0 != "\"" }.split(separator: "\\").joined()
    }

    /// Base64 of the byte 1 and the SHA-1, which is what the protocol calls a file's checksum.
    package static func checksum(_ bytes: [UInt8]) -> String {
        let digest = ContentDigest()
        bytes.withUnsafeBytes { digest.update($0) }
        return Base64.encode([1] + digest.finish().sha1)
    }
}

extension TestCloud {
    /// What the asset folder holds: whole files, and uploads that are not.
    package func assetFiles() throws -> (whole: [String], uploads: [String]) {
        let path = try assets.folder().path
        let files = (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.contains("/") }
        return (files.filter { !$0.hasPrefix("uploads/") }.sorted(), files.filter { $0.hasPrefix("uploads/") })
    }

    package func collector() throws -> AssetCollector {
        let clock = clock
        return AssetCollector(store: store, folder: try assets.folder(), isAlone: false, clock: { clock.now })
    }

    /// What is wrong with records, references and files, in words.
    package func problems() async throws -> [String] {
        try await store.read { try $0.verify() } + store.verifyAssets(in: assets.folder())
    }
}
