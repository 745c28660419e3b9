import CloudCore
import CloudStorage
import CloudWire
import Glibc
import HTTPCore

/// The asset host: takes the bytes of uploads and sends those of downloads. Its URLs carry their own authorisation.
struct AssetCalls: Sendable {
    let store: CloudStore
    let home: AssetHome
    let rates: RateLimiter
    let threads = DiskThreads()

    // MARK: - Upload

    /// Bytes that a form may have around its file.
    private static let formBytes: Int64 = 65_536

    /// Takes a file in and answers what a record's field is to hold.
    /// - Throws: Status 413 when the file is over the limit; `ACCESS_DENIED` for a URL that is not ours or has expired;
    ///   `THROTTLED`; `QUOTA_EXCEEDED` when too much waits to be saved.
    func upload(_ text: String, _ request: HTTPRequest, uuid: String, entry: inout RequestLogEntry) async throws
        -> HTTPResponse
    {
        let (token, key, limit) = try await store.read { transaction in
            let key = transaction.assetKey
            let token = try Self.token(text, key: key, now: transaction.now)
            guard case .upload = token.purpose else { throw Self.foreign }
            try rates.count(Self.rateKey(of: token.place, in: transaction), now: transaction.now)
            try transaction.requireAssetUpload(to: token.place)
            return (token, key, Int64(transaction.limits.assetBytes))
        }
        entry.caller = token.place.user ?? "-"
        guard case .upload(let recordType) = token.purpose else { throw Self.foreign }
        let form = try MultipartFile(contentType: request.headers["Content-Type"])
        let longest = form == nil ? limit : limit + Self.formBytes
        if let length = request.headers["Content-Length"].flatMap({ Int64($0) }), length > longest {
            throw Self.tooLarge(limit)
        }
        let folder = try home.folder()
        let lane = threads.lane()
        let receiver = try await lane.run {
            AssetReceiver(try folder.makeUpload(), form, limit: limit, longest: longest)
        }
        let file: AssetFile
        do {
            let body = request.stream ?? WholeBody(request.body)
            while let piece = try await body.next() { try await lane.run { try receiver.take(piece) } }
            file = try await lane.run { try receiver.finish() }
        } catch {
            try await lane.run { receiver.discard() }
            throw error is HTTPBodyError
                ? CloudError(.badRequest, "the upload was cut off: \(error)", nativeCode: 12) : error
        }
        let receipt = try await claim(file, token.place, recordType, folder, lane)
        let asset = AssetLinks.withKeys(
            Asset(fileChecksum: file.fileChecksum, size: file.size, content: file.name.content, receipt: receipt),
            in: token.place.database, key: key)
        return ServiceReply.json(AssetUploadAnswer(singleFile: asset).encode(), uuid: uuid)
    }

    private func claim(
        _ file: AssetFile, _ place: AssetPlace, _ recordType: String, _ folder: AssetFolder, _ lane: DiskThreads.Lane
    ) async throws -> String {
        do {
            let (receipt, isKept) = try await store.write(for: place.database) {
                try $0.claimAsset(file, for: place, recordType: recordType) { folder.size(of: $0) != nil }
            }
            if !isKept { try await lane.run { try folder.remove(file.name) } }
            return receipt
        } catch let error as CloudError where error.code != .tryAgainLater {
            // Nothing of it is stored. After other failures nobody knows, and the collection will find out.
            try await lane.run { try folder.remove(file.name) }
            throw error
        }
    }

    static func tooLarge(_ limit: Int64) -> StatusRefusal {
        StatusRefusal(
            status: 413,
            CloudError(.badRequest, "the asset is over the limit of \(limit) bytes", nativeCode: 27))
    }

    // MARK: - Download

    /// Sends the file, or a range of it, while the field that the URL names still holds it and its reader may still read
    /// the record.
    func download(_ text: String, _ request: HTTPRequest, uuid: String, entry: inout RequestLogEntry) async throws
        -> HTTPResponse
    {
        let (user, file) = try await store.read { transaction in
            let token = try Self.token(text, key: transaction.assetKey, now: transaction.now)
            guard case .download(let content) = token.purpose else { throw Self.foreign }
            try rates.count(Self.rateKey(of: token.place, in: transaction), now: transaction.now)
            return (token.place.user, try transaction.assetFile(of: content, at: token.place))
        }
        entry.caller = user ?? "-"
        let folder = try home.folder()
        let whole = try await threads.lane().run { () -> HTTPFile? in
            guard let descriptor = try folder.open(file.name, size: file.size) else { return nil }
            // What is read ahead now the HTTP loop will not have to wait for.
            posix_fadvise(descriptor, 0, off_t(file.size), POSIX_FADV_WILLNEED)
            return HTTPFile(taking: descriptor, offset: 0, count: file.size)
        }
        guard let whole else { throw CloudError(.notFound, "the asset's file is gone", nativeCode: 16) }
        return HTTPResponse.file(
            whole, tag: "\"\(file.tag)\"", for: request, headers: ServiceReply.assetHeaders(uuid: uuid))
    }

    // MARK: - URLs

    /// Whose requests those by a URL are: its user's, who has one rate for everything.
    /// - Throws: `ACCESS_DENIED` when the account is gone that the URL was made for: it is good no longer than that.
    private static func rateKey(of place: AssetPlace, in transaction: CloudTransaction) throws -> RateKey {
        guard let user = place.user else { return .nobody(place.database.container, place.database.environment) }
        return .account(try transaction.requireActive(user, in: place.database.container))
    }

    /// - Throws: `ACCESS_DENIED` unless the token was made here and is still good.
    private static func token(_ text: String, key: [UInt8], now: Int64) throws(CloudError) -> AssetToken {
        guard let token = AssetToken(text, key: key) else { throw foreign }
        guard token.expires > now else {
            throw CloudError(.accessDenied, "the asset's URL has expired: ask for a new one", nativeCode: 10)
        }
        return token
    }

    private static var foreign: CloudError {
        CloudError(.accessDenied, "the asset's URL was not made by this service or has been altered", nativeCode: 10)
    }
}

/// An upload on its way from the body to the disk.
///
/// Unchecked: owned by the task of its request, which waits for each call before the next.
private final class AssetReceiver: @unchecked Sendable {
    private let upload: AssetUpload
    private var form: MultipartFile?
    private let limit, longest: Int64
    private var received: Int64 = 0

    init(_ upload: AssetUpload, _ form: MultipartFile?, limit: Int64, longest: Int64) {
        self.upload = upload
        self.form = form
        self.limit = limit
        self.longest = longest
    }

    func take(_ piece: [UInt8]) throws {
        received += Int64(piece.count)
        guard received <= longest else { throw AssetCalls.tooLarge(limit) }
        if form == nil { return try piece.withUnsafeBytes(write) }
        try form?.feed(piece, write)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard upload.size + Int64(bytes.count) <= limit else { throw AssetCalls.tooLarge(limit) }
        try upload.write(bytes)
    }

    func finish() throws -> AssetFile {
        try form?.finish()
        return try upload.finish()
    }

    func discard() { upload.discard() }
}

/// A refusal with a status that its code does not have.
struct StatusRefusal: Error {
    let status: Int
    let error: CloudError

    init(status: Int, _ error: CloudError) {
        self.status = status
        self.error = error
    }
}
