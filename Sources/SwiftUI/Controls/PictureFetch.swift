import HTTPClient
import HTTPCore

/// Fetches pictures into files, which the windows show.
enum PictureFetch {
    private static let transport = CurlTransport()

    /// - Throws: `URLError` when nothing came, or something else than a picture.
    static func file(of url: URL) async throws -> URL {
        let request = HTTPRequest(method: "GET", target: url.absoluteString)
        let answer: HTTPResponse
        do {
            answer = try await transport.send(request, timeout: .seconds(60))
        } catch {
            if error.code == .cancelled { throw CancellationError() }
            throw URLError(.cannotConnectToHost)
        }
        guard answer.status == 200, answer.headers["Content-Type"]?.hasPrefix("image/") ?? false else {
            throw URLError(.badServerResponse)
        }
        let name = "picture-\(UUID().uuidString).\(url.pathExtension.isEmpty ? "img" : url.pathExtension)"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try Data(answer.body).write(to: file)
        return file
    }
}
