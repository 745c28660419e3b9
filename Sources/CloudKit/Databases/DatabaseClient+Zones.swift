import CloudClient
import CloudCore
import CloudWire
import Foundation

extension DatabaseClient {
    private func result(_ item: ZoneItem) -> Result<CKRecordZone, any Error> {
        switch item {
        case .zone(let zone):
            .success(CKRecordZone(zoneID: CKRecordZone.ID(zone.id, scope: core), isShared: zone.isShared, scope: core))
        case .deleted(let id): .failure(CKError(.zoneNotFound, reason: "zone '\(id.name)' was deleted"))
        case .failure(_, let error, _): .failure(self.error(error))
        }
    }

    func allZones() async throws -> [CKRecordZone] {
        try await call(isRead: true) { try await api.listZones().compactMap { result($0).value } }
    }

    func zones(_ ids: [CKRecordZone.ID]) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await call(isRead: true) {
            let ids = ids.uniqued()
            guard !ids.isEmpty else { return [:] }
            let items = try await api.lookupZones(ids.map(\.wire))
            guard items.count == ids.count else {
                throw CloudError(.internalError, "asked for \(ids.count) zones, the service answered \(items.count)")
            }
            return Dictionary(uniqueKeysWithValues: zip(ids, items.map { result($0) }))
        }
    }

    func modifyZones(
        saving zones: [CKRecordZone], deleting ids: [CKRecordZone.ID]
    ) async throws -> (
        saves: [CKRecordZone.ID: Result<CKRecordZone, any Error>], deletes: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        try await call(isRead: false) {
            let saves = zones.map(\.zoneID)
            if let twice = (saves + ids).firstDuplicate() {
                throw CKError(.invalidArguments, reason: "zone '\(twice.zoneName)' appears twice in one operation")
            }
            var results: [Result<CKRecordZone?, any Error>?] = saves.map { id in
                do {
                    try id.checkName()
                    return nil
                } catch { return .failure(error) }
            }
            results += ids.map { _ in nil }
            let all = saves.map { ZoneOperation.create($0.wire) } + ids.map { ZoneOperation.delete($0.wire) }
            let places = all.indices.filter { results[$0] == nil }
            if !places.isEmpty {
                let items = try await api.modifyZones(places.map { all[$0] })
                guard items.count == places.count else {
                    throw CloudError(
                        .internalError, "sent \(places.count) operations, the service answered \(items.count)")
                }
                for (place, item) in zip(places, items) {
                    if case .deleted = item {
                        results[place] = .success(nil)
                    } else {
                        results[place] = result(item).map { $0 }
                    }
                }
            }
            var answer:
                (
                    saves: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                    deletes: [CKRecordZone.ID: Result<Void, any Error>]
                ) = ([:], [:])
            for (place, result) in results.enumerated() {
                guard let result else { continue }
                if place < zones.count {
                    answer.saves[saves[place]] = result.map { $0 ?? zones[place] }
                } else {
                    answer.deletes[ids[place - zones.count]] = result.map { _ in () }
                }
            }
            return answer
        }
    }
}

extension Sequence where Element: Hashable {
    func firstDuplicate() -> Element? {
        var seen: Set<Element> = []
        return first { !seen.insert($0).inserted }
    }
}
