package import CloudCore
package import CloudWire
import Foundation
import HTTPCore

/// Sends and fetches the bytes of the assets of one database.
package struct AssetTransfers: Sendable {
    /// Bytes that a download asks for at a time: what it takes of memory, and what it loses when a connection breaks.
    package static let rangeBytes: Int64 = 1_048_576

    package let api: CloudAPI
    package let cache: AssetCache

    package init(api: CloudAPI, cache: AssetCache) {
        self.api = api
        self.cache = cache
    }

    /// The field of a record that an asset is sent for.
    package struct Place: Hashable, Sendable {
        package var recordName: String
        package var recordType: String
        package var fieldName: String

        package init(recordName: String, recordType: String, fieldName: String) {
            self.recordName = recordName
            self.recordType = recordType
            self.fieldName = fieldName
        }

        var token: AssetsUploadRequest.Token {
            AssetsUploadRequest.Token(recordName: recordName, recordType: recordType, fieldName: fieldName)
        }
    }

    // MARK: - Upload

    /// URLs to send assets of one zone to, in order.
    package func uploadURLs(for places: [Place], in zone: WireZoneID) async throws -> [String] {
        var urls: [String] = []
        let limit = CloudLimits().assetsPerRequest
        for start in stride(from: 0, to: places.count, by: limit) {
            let tokens = places[start..<min(start + limit, places.count)].map(\.token)
            let answer = try await api.uploadTokens(tokens, in: zone)
            guard answer.count == tokens.count else {
                throw CloudError(
                    .internalError, "asked for \(tokens.count) URLs of assets, the service answered \(answer.count)")
            }
            urls += answer.map(\.url)
        }
        return urls
    }

    /// Sends a staged file.
    /// - Parameters:
    ///   - url: From ``uploadURLs(for:in:)``. When it has expired, another one is asked for.
    ///   - progress: Told how many bytes have been sent; less than before when the file is sent again.
    /// - Returns: What the field is to hold, with the receipt.
    /// - Throws: `CloudError` for a refusal; `HTTPTransportError` when no answer came.
    package func upload(
        _ staged: StagedAsset, for place: Place, in zone: WireZoneID, to url: String,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Asset {
        do {
            return try await send(staged, to: url, progress)
        } catch let error as CloudError where error.code == .accessDenied {
            // Whoever has no right is refused a new one.
            guard let fresh = try await uploadURLs(for: [place], in: zone).first else { throw error }
            return try await send(staged, to: fresh, progress)
        }
    }

    private func send(
        _ staged: StagedAsset, to url: String, _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Asset {
        var request = HTTPRequest(
            method: "POST", target: url, headers: ["Content-Type": "application/octet-stream"])
        request.upload = HTTPUpload(path: staged.path, size: staged.size, progress: progress)
        // Sent twice it is there twice, and the one without a record goes.
        let answer = try await fetch(request)
        let asset: Asset
        do { asset = try AssetUploadAnswer.decode(answer.body).singleFile } catch {
            throw Refusal.unreadable(error, of: "the upload of an asset")
        }
        guard asset.size == staged.size, isSame(asset.fileChecksum, staged.fileChecksum, as: url) else {
            throw CloudError(
                .tryAgainLater, "the asset's content did not arrive as it was sent; send it again")
        }
        return asset
    }

    // MARK: - Download

    /// The file of an asset of a record that was read: the cache's, or fetched now.
    /// - Parameter progress: Told how many bytes are here.
    /// - Throws: `CloudError` when the service does not have it, or not for the caller; `HTTPTransportError`;
    ///   ``AssetFault`` when the device has no room.
    package func file(
        of asset: Asset, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> AssetFile {
        if let file = await cache.file(of: asset) { return file }
        guard let url = asset.downloadURL else {
            throw CloudError(.notFound, "the service did not say where the asset's content is", nativeCode: 35)
        }
        // The name that the file would have is up to the client.
        let target = url.replacingOccurrences(of: "${f}", with: "asset")
        let cache = cache
        let intake = try await blocking { try cache.intake() }
        defer { intake.discard() }
        var done: Int64 = 0
        while done < asset.size {
            let piece = try await piece(target, from: done, of: asset.size)
            try await blocking { try piece.withUnsafeBytes { try intake.append($0) } }
            done += Int64(piece.count)
            progress(done)
        }
        let staged = intake.finish()
        guard isSame(asset.fileChecksum, staged.fileChecksum, as: target) else {
            throw CloudError(.tryAgainLater, "the asset's content did not arrive as it was saved; fetch it again")
        }
        // The cache is that of whoever is signed in now.
        _ = try api.connection.account(for: api.options.principal)
        return try await cache.keep(staged, as: asset)
    }

    private func piece(_ target: String, from start: Int64, of size: Int64) async throws -> [UInt8] {
        let count = min(Self.rangeBytes, size - start)
        var request = HTTPRequest(method: "GET", target: target)
        if count < size { request.headers["Range"] = "bytes=\(start)-\(start + count - 1)" }
        let answer = try await fetch(request)
        // A server that knows no ranges sends all at once.
        let isWhole = answer.status == 200 && start == 0 && Int64(answer.body.count) == size
        guard isWhole || answer.status == 206 && Int64(answer.body.count) == count else {
            throw CloudError(
                .tryAgainLater, "asked for \(count) bytes of an asset, the service sent \(answer.body.count)")
        }
        return answer.body
    }

    // MARK: - Either way

    private func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await api.connection.attempts(of: api.target.container, isRead: true, options: api.options) { timeout in
            let answer = try await api.connection.transport.send(request, timeout: timeout())
            guard (200..<300).contains(answer.status) else { throw Refusal.error(of: answer) }
            return answer
        }
    }

    /// What iCloud calls a checksum is not documented, so there only sizes are compared.
    private func isSame(_ theirs: String, _ ours: String, as url: String) -> Bool {
        theirs == ours || URL(string: url)?.host?.hasSuffix(".icloud-content.com") == true
    }
}
