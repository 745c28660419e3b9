import FoundationNetworking

/// Fetches pictures into files, which the windows show.
enum PictureFetch {
    /// - Throws: `URLError` when nothing came, or something else than a picture.
    static func file(of url: URL) async throws -> URL {
        let (data, response) = try await URLSession.shared.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode ?? 200 == 200,
            response.mimeType?.hasPrefix("image/") ?? false
        else { throw URLError(.badServerResponse) }
        let name = "picture-\(UUID().uuidString).\(url.pathExtension.isEmpty ? "img" : url.pathExtension)"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }
}
