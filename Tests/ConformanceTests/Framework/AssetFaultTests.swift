import CloudClient
import CloudCore
import CloudKit
import CloudStorage
import CloudTestSupport
import Foundation
import HTTPCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An asset that cannot be sent or fetched` {
    @Test(arguments: CloudSetUp.ways)
    func `is its record's error, by what is wrong with the file, and fails the zone's others where they are atomic`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let phone = try await phones.databaseWithNotes(traffic)
            let pipe = files.folder.appendingPathComponent("pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let cases: [(URL, CKError.Code)] = [
                (files.folder.appendingPathComponent("nothing"), .assetFileNotFound),
                (try #require(URL(string: "https://example.com/photo")), .assetFileNotFound),
                (files.folder, .assetNotAvailable), (pipe, .assetNotAvailable),
            ]
            for (url, code) in cases {
                let bad = note("bad")
                bad["photo"] = CKAsset(fileURL: url)
                let good = note("good")
                good["photo"] = CKAsset(fileURL: try files.make("good", size: 10, seed: 1))
                let together = try await phone.modifyRecords(saving: [good, bad], deleting: [])
                let error = try #require(together.saveResults[bad.recordID]?.ckError)
                #expect(error.code == code && error.localizedDescription.contains("'photo'"), "\(error)")
                #expect(together.saveResults[good.recordID]?.code == .batchRequestFailed)
                #expect(traffic.take() == AssetTraffic.Counts(), "nothing is sent")
                let apart = try await phone.modifyRecords(saving: [good, bad], deleting: [], atomically: false)
                #expect(apart.saveResults.failures() == [bad.recordID: code])
                #expect(traffic.take().uploads == 1)
                try await phone.deleteRecord(withID: good.recordID)
            }
            #expect(try await phone.follow(since: nil).changed == [])
        }
    }

    @Test func `because it changed while it was copied is told as such`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modified-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try AppFiles(folder: folder).make("photo", size: 3_000_000, seed: 1)
        let appending = try FileHandle(forWritingTo: file)
        try appending.seekToEnd()
        let fault = #expect(throws: AssetFault.self) {
            try FileReading(path: file.path).read(isCancelled: {
                appending.write(Data([1]))
                return false
            }) { _ in }
        }
        #expect(fault?.problem == .modified)
        #expect(throws: CancellationError.self) {
            try FileReading(path: file.path).read(isCancelled: { true }) { _ in }
        }
    }

    @Test func `leaves no copy once it is given up, even while somebody still holds it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("given-up-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = AssetCache(folder: folder.appendingPathComponent("device"), account: { "a" }, limit: { .max })
        let file = try AppFiles(folder: folder).make("photo", size: 1000, seed: 1)
        let (givenUp, kept) = (try await cache.stage(file), try await cache.stage(file))
        defer { withExtendedLifetime((givenUp, kept)) {} }
        #expect(FileManager.default.fileExists(atPath: givenUp.path))
        givenUp.discard()
        #expect(!FileManager.default.fileExists(atPath: givenUp.path))
        let content = try await cache.keep(kept, as: Asset(fileChecksum: kept.fileChecksum, size: kept.size))
        kept.discard()
        #expect(FileManager.default.fileExists(atPath: content.path), "what the cache took over stays")
    }

    @Test(arguments: CloudSetUp.ways)
    func `because it is over the limit is refused by the limit's number, and one at the limit is not`(
        on setUp: CloudSetUp
    ) async throws {
        var limits = CloudLimits()
        limits.assetBytes = 100_000
        try await setUp.withAssetPhones(limits: limits) { phones, files in
            let phone = try await phones.databaseWithNotes()
            let fits = note("fits")
            fits["photo"] = CKAsset(fileURL: try files.make("fits", size: 100_000, seed: 1))
            #expect(try await phone.result(of: fits)?.isSuccess == true)
            let over = note("over")
            over["photo"] = CKAsset(fileURL: try files.make("over", size: 100_001, seed: 2))
            let other = note("other")
            let results = try await phone.modifyRecords(saving: [other, over], deleting: []).saveResults
            let error = try #require(results[over.recordID]?.ckError)
            #expect(error.code == .limitExceeded && error.localizedDescription.contains("100000"), "\(error)")
            #expect(results[other.recordID]?.code == .batchRequestFailed)
            let apart = try await phone.modifyRecords(saving: [other, over], deleting: [], atomically: false)
            #expect(apart.saveResults.failures() == [over.recordID: .limitExceeded])
            #expect(try await phone.follow(since: nil).changed == ["fits", "other"])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `because the save is cancelled leaves nothing behind, on the device and at the service`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let home = files.folder.appendingPathComponent("device")
            let traffic = AssetTraffic(phones.cloud.transport)
            let phone = try await phones.databaseWithNotes(traffic, folder: home)
            let record = note("n")
            record["photo"] = CKAsset(fileURL: try files.make("large", size: 40_000_000, seed: 1))
            let save = CKModifyRecordsOperation(recordsToSave: [record])
            let isCancelled = DispatchSemaphore(value: 0)
            save.perRecordProgressBlock = { [weak save] _, _ in
                save?.cancel()
                isCancelled.signal()
            }
            if setUp.way == .inProcess {
                // By the half somebody has been told of a part.
                traffic.afterEachPart { sent in
                    guard sent > 20_000_000 else { return }
                    isCancelled.wait()
                    isCancelled.signal()
                }
            }
            let result = await withCheckedContinuation { waiter in
                save.modifyRecordsResultBlock = { waiter.resume(returning: $0) }
                phone.add(save)
            }
            // Over sockets the whole file may be there before anybody is told of its first part.
            guard setUp.way == .inProcess || result.code != nil else { return }
            #expect(result.code == .operationCancelled)
            while try !phones.cloud.assetFiles().uploads.isEmpty { await Task.yield() }
            if setUp.way != .inProcess {
                // No record has it then, and it goes when nobody can claim it any more, once the service is done with the request.
                #expect(try phones.cloud.assetFiles().whole.count <= 1)
                while try !phones.cloud.assetFiles().whole.isEmpty {
                    phones.cloud.clock.advance(milliseconds: 86_400_000)
                    _ = try await phones.cloud.collector().collect()
                }
            }
            #expect(try phones.cloud.assetFiles().whole == [])
            let paths = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
            #expect(!paths.contains { $0.contains("staging/") || $0.hasSuffix("content") }, "\(paths)")
            #expect(try await phone.follow(since: nil).changed == [])
            #expect((record["photo"] as? CKAsset)?.fileURL != nil, "it can be saved again")
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `because the network fails ends the whole request, and patient work tries again`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let phone = try await phones.databaseWithNotes(traffic)
            let record = note("n")
            record["photo"] = CKAsset(fileURL: try files.make("photo", size: 100, seed: 1))
            traffic.answerNext(503)
            let error = await #expect(throws: CKError.self) { try await phone.save(record) }
            #expect(error?.code == .serviceUnavailable)
            let configuration = CKOperation.Configuration()
            configuration.qualityOfService = .utility
            try await phone.configuredWith(configuration: configuration) { phone in
                traffic.answerNext(503)
                try await phone.save(record)
                try await phones.save("n", try files.make("other", size: 200, seed: 2))
                traffic.answerNext(503)
                #expect(try files.size(of: try await phone.record(for: noteID("n"))["photo"] as? CKAsset) == 200)
            }
            // A page of the feed is not taken as read when its assets could not be.
            try await phones.save("n", try files.make("third", size: 300, seed: 3))
            traffic.answerNext(503)
            await #expect(throws: CKError.self) { try await phone.recordZoneChanges(inZoneWith: notes, since: nil) }
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `because it is gone, or comes back damaged, is its record's error and not another's`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let tablet = try await phones.databaseWithNotes(traffic)
            try await phones.save("n", try files.make("photo", size: 100, seed: 1))
            let plain = note("plain")
            try await tablet.save(plain)
            traffic.answerNext(404)
            let found = try await tablet.records(for: [noteID("n"), plain.recordID])
            #expect(found.failures() == [noteID("n"): .assetNotAvailable])
            traffic.answerNext(200, body: [UInt8](repeating: 0, count: 100))
            let error = await #expect(throws: CKError.self) { try await tablet.record(for: noteID("n")) }
            #expect(error?.code == .serviceUnavailable)
            let expired = [UInt8](
                #"{"uuid":"u","serverErrorCode":"ACCESS_DENIED","reason":"the URL has expired"}"#.utf8)
            traffic.answerNext(403, body: expired)
            let late = note("late")
            late["photo"] = CKAsset(fileURL: try files.make("late", size: 10, seed: 2))
            try await tablet.save(late)
            #expect(traffic.take() == AssetTraffic.Counts(uploads: 2, downloads: 2, tokens: 2))
        }
    }

    @Test func `over the network in pieces takes no memory of its size`() async {
        await #expect(processExitsWith: .success) {
            try await CloudSetUp.ways[1].withAssetPhones { phones, files in
                let phone = try await phones.databaseWithNotes()
                let size = 50 * 1_048_576
                let photo = files.folder.appendingPathComponent("photo")
                #expect(FileManager.default.createFile(atPath: photo.path, contents: nil))
                try FileHandle(forWritingTo: photo).truncate(atOffset: UInt64(size))
                let small = note("small")
                small["photo"] = CKAsset(fileURL: try files.make("small", size: 5_000_000, seed: 1))
                try await phone.save(small)
                let tablet = try await phones.database()
                _ = try await tablet.record(for: small.recordID)
                let before = try Self.peakBytes()
                let record = note("n")
                record["photo"] = CKAsset(fileURL: photo)
                try await phone.save(record)
                let between = try Self.peakBytes()
                let found = try await tablet.record(for: record.recordID)
                let copy = try #require((found["photo"] as? CKAsset)?.fileURL)
                let attributes = try FileManager.default.attributesOfItem(atPath: copy.path)
                #expect((attributes[.size] as? NSNumber)?.intValue == size)
                let grown = try Self.peakBytes() - before
                #expect(grown < size / 2, "\((between - before) >> 20) MiB out, \(grown >> 20) MiB in all")
            }
        }
    }

    /// The most memory that the process has had, as the system tells it.
    static func peakBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
    }
}
