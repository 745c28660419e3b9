import CloudClient
import CloudCore
import CloudWire
import Foundation
import Synchronization

extension DatabaseClient {
    /// Assets that are sent, or fetched, at the same time.
    static var transfersAtOnce: Int { 4 }

    var transfers: AssetTransfers { AssetTransfers(api: api, cache: context.device.assets) }

    /// Sends the assets of a plan and puts what names them into its operations.
    ///
    /// A record whose asset cannot be read, or is refused, fails, and in an atomic batch the rest with it.
    /// - Parameter sending: The plan's; what was sent is noted in it, for ``keep(_:of:)``.
    /// - Throws: What stops the whole request: no network, cancelled.
    func send(
        _ sending: inout AssetSending, of plan: inout ZonePlan,
        progress: @escaping @Sendable (CKRecord, Double) -> Void
    ) async throws {
        guard !sending.items.isEmpty else { return }
        try await stage(&sending, &plan)
        guard plan.failRest(because: "another record's asset cannot be read") else { return }
        let places = sending.items.map(\.place)
        let urls = try await transfers.uploadURLs(for: places, in: plan.batch.zone.wire)
        let meters = plan.meters(for: sending, progress)
        let (items, zone) = (sending.items, plan.batch.zone.wire)
        let results = try await inParallel(items.indices) { index -> Result<Asset, any Error> in
            guard let staged = items[index].staged else { throw CancellationError() }
            let meter = meters[items[index].operation]
            do {
                let asset = try await transfers.upload(
                    staged, for: places[index], in: zone, to: urls[index]
                ) { meter?.note($0, of: index) }
                return .success(asset)
            } catch let error as CloudError where error.code != .tryAgainLater && error.code != .throttled {
                return .failure(self.error(error))
            }
        }
        for (index, result) in results {
            switch result {
            case .success(let asset):
                sending.items[index].sent = asset
                plan.put(asset, for: items[index])
            case .failure(let error): plan.fail(operation: items[index].operation, error)
            }
        }
        _ = plan.failRest(because: "another record's asset was refused")
    }

    /// Copies the files; one that cannot be read fails its record.
    private func stage(_ sending: inout AssetSending, _ plan: inout ZonePlan) async throws {
        var copies: [ObjectIdentifier: StagedAsset] = [:]
        for index in sending.items.indices {
            let asset = sending.items[index].asset
            let operation = sending.items[index].operation
            guard plan.isPending(operation: operation) else { continue }
            do {
                if copies[ObjectIdentifier(asset)] == nil {
                    guard let url = asset.fileURL else {
                        throw CKError(.assetNotAvailable, reason: "its content has not been fetched")
                    }
                    copies[ObjectIdentifier(asset)] = try await context.device.assets.stage(url)
                }
                sending.items[index].staged = copies[ObjectIdentifier(asset)]
            } catch let error as CancellationError {
                throw error
            } catch {
                let error = CKError(failure: error, scope: core, isRead: false)
                plan.fail(
                    operation: operation,
                    CKError(
                        error.code,
                        reason: "the asset in '\(sending.items[index].field)': \(error.localizedDescription)"))
            }
        }
        sending.items.removeAll { !plan.isPending(operation: $0.operation) }
    }

    /// Keeps what was sent with a record that is saved now, so that it need not be fetched.
    func keep(_ sending: AssetSending, of operation: Int) async -> [AssetKey: AssetFiles] {
        var files: [AssetKey: [AssetFile]] = [:]
        for item in sending.items where item.operation == operation {
            guard let staged = item.staged, let sent = item.sent else { continue }
            // Without room in the cache the content is fetched when it is wanted.
            guard let file = try? await context.device.assets.keep(staged, as: sent) else { continue }
            files[AssetKey(sent), default: []].append(file)
        }
        return files.mapValues { AssetFiles($0) }
    }

    /// Runs `body` for each index, a few at a time. The first error ends all.
    func inParallel<Value: Sendable>(
        _ indices: Range<Int>, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [(Int, Value)] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var rest = indices[...].makeIterator()
            for _ in 0..<Self.transfersAtOnce {
                guard let index = rest.next() else { break }
                group.addTask { (index, try await body(index)) }
            }
            var values: [(Int, Value)] = []
            while let value = try await group.next() {
                values.append(value)
                if let index = rest.next() { group.addTask { (index, try await body(index)) } }
            }
            return values.sorted { $0.0 < $1.0 }
        }
    }
}

extension ZonePlan {
    /// Whether an operation is still to be sent.
    func isPending(operation: Int) -> Bool { outcomes[places[operation]] == nil }

    mutating func fail(operation: Int, _ error: any Error) { outcomes[places[operation]] = .failure(error) }

    /// Puts an asset in the place of the one that was sent.
    mutating func put(_ asset: Asset, for item: AssetSending.Item) {
        guard let field = operations[item.operation].fields.firstIndex(where: { $0.name == item.field }),
            let value = operations[item.operation].fields[field].value
        else { return }
        var position = -1
        operations[item.operation].fields[field].value = value.mapAssets { old in
            position += 1
            return position == item.position ? asset : old
        }
    }

    /// Takes out the operations that have failed, and where one failed in an atomic batch, all.
    /// - Returns: Whether anything is left to send.
    mutating func failRest(because reason: String) -> Bool {
        guard !outcomes.isEmpty else { return !operations.isEmpty }
        if batch.isAtomic { failAll(CKError(.batchRequestFailed, reason: "not sent, because \(reason)")) }
        return operations.indices.contains { isPending(operation: $0) }
    }

    /// For each operation that has assets to send, what counts their bytes.
    func meters(
        for sending: AssetSending, _ progress: @escaping @Sendable (CKRecord, Double) -> Void
    ) -> [Int: TransferMeter] {
        Dictionary(grouping: sending.items, by: \.operation).mapValues { items in
            let record = batch.saves[places[items[0].operation]]
            let total = items.reduce(0) { $0 + ($1.staged?.size ?? 0) }
            return TransferMeter(total: total) { progress(record, $0) }
        }
    }
}

/// Counts the bytes of a record's assets and tells of each hundredth.
final class TransferMeter: Sendable {
    private let total: Int64
    private let tell: @Sendable (Double) -> Void
    private let state = Mutex<(done: [Int: Int64], told: Int)>(([:], 0))

    init(total: Int64, tell: @escaping @Sendable (Double) -> Void) {
        self.total = total
        self.tell = tell
    }

    /// - Parameter bytes: Of one asset until now. The whole is told by whoever ends the transfer.
    func note(_ bytes: Int64, of asset: Int) {
        guard total > 0 else { return }
        let fraction = state.withLock { state -> Double? in
            state.done[asset] = bytes
            let done = state.done.values.reduce(0, +)
            let hundredth = Int(done * 100 / total)
            guard hundredth != state.told, done < total else { return nil }
            state.told = hundredth
            return Double(done) / Double(total)
        }
        if let fraction { tell(fraction) }
    }
}
