import CloudClient
import CloudCore
import CloudWire
import Foundation

extension DatabaseClient {
    /// What the app is handed of answered records: with the files of their assets, from the cache or fetched now.
    struct Materialised: Sendable {
        var viewpoint: Viewpoint
        /// Contents that the service does not have any more.
        var missing: [AssetKey: CKError] = [:]

        func record(_ record: Record) -> Result<CKRecord, any Error> {
            for asset in record.fields.values.flatMap(\.assets) {
                if let error = missing[AssetKey(asset)] { return .failure(error) }
            }
            return .success(.received(record, viewpoint))
        }
    }

    /// Gets the assets of answered records. One that the service does not have any more, or no longer gives to the caller,
    /// is its records' failure: they have changed since they were read.
    /// - Parameter progress: Told how much of a record's assets is here, of those that have any.
    /// - Throws: What would hit any of them: no network, no room on the device.
    func materialise(
        _ items: [RecordItem], _ viewpoint: Viewpoint,
        progress: @escaping @Sendable (RecordID, Double) -> Void = { _, _ in }
    ) async throws -> Materialised {
        let records = items.compactMap { if case .record(let record) = $0 { record } else { nil } }
        return try await materialise(records: records, viewpoint, progress: progress)
    }

    func materialise(
        records: [Record], _ viewpoint: Viewpoint,
        progress: @escaping @Sendable (RecordID, Double) -> Void = { _, _ in }
    ) async throws -> Materialised {
        var result = Materialised(viewpoint: viewpoint)
        var wanted: [Asset] = []
        var meters: [AssetKey: [TransferMeter]] = [:]
        for record in records {
            let assets = record.fields.values.flatMap(\.assets)
            guard !assets.isEmpty else { continue }
            let id = record.id
            let contents = Dictionary(assets.map { (AssetKey($0), $0) }) { first, _ in first }
            let total = contents.values.reduce(0) { $0 + $1.size }
            let meter = TransferMeter(total: total) { progress(id, $0) }
            for (key, asset) in contents {
                if meters[key] == nil { wanted.append(asset) }
                meters[key, default: []].append(meter)
            }
        }
        guard !wanted.isEmpty else { return result }
        let uses = records.flatMap { $0.fields.values.flatMap(\.assets) }.reduce(into: [AssetKey: Int]()) {
            $0[AssetKey($1), default: 0] += 1
        }
        let (assets, counting, transfers) = (wanted, meters, transfers)
        let files = try await inParallel(assets.indices) { index -> Result<AssetFiles, CKError> in
            let asset = assets[index]
            do {
                let first = try await transfers.file(of: asset) { done in
                    for meter in counting[AssetKey(asset)] ?? [] { meter.note(done, of: index) }
                }
                var files = [first]
                let count = uses[AssetKey(asset)] ?? 1
                while files.count < count, let file = await transfers.cache.file(of: asset) { files.append(file) }
                return .success(AssetFiles(files))
            } catch let error as CloudError where error.code == .notFound || error.code == .accessDenied {
                return .failure(CKError(.assetNotAvailable, reason: error.reason))
            }
        }
        for (index, file) in files {
            switch file {
            case .success(let file): result.viewpoint.files[AssetKey(assets[index])] = file
            case .failure(let error): result.missing[AssetKey(assets[index])] = error
            }
        }
        return result
    }
}
