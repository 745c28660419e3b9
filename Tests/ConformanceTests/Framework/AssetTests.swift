import CloudCore
import CloudKit
import CloudTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An asset` {
    @Test(arguments: CloudSetUp.available)
    func `comes back byte by byte, be it empty, tiny or in several pieces, under any file name`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            for (number, size) in [0, 1, 70_000, 1_048_576, 5_000_001].enumerated() {
                let file = try files.make("Größe \(size) – ☃.jpg", size: size, seed: UInt8(number))
                let record = note("n\(size)", title: "\(size)")
                record["photo"] = CKAsset(fileURL: file)
                try await phone.save(record)
                #expect(try Data(contentsOf: file).count == size, "the app's file stays")
                let found = try await tablet.record(for: record.recordID)
                let url = try #require((found["photo"] as? CKAsset)?.fileURL)
                #expect(url.isFileURL && url != file)
                #expect(try Data(contentsOf: url) == Data(contentsOf: file))
            }
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `is in every way to read a record, in every database and in lists`(on setUp: CloudSetUp) async throws {
        try await setUp.withAssetPhones { phones, files in
            let phone = try await phones.databaseWithNotes()
            let record = note("n", title: "milk")
            let pages = try (1...3).map { CKAsset(fileURL: try files.make("\($0)", size: 100 * $0, seed: UInt8($0))) }
            record["pages"] = pages
            record["photo"] = CKAsset(fileURL: try files.make("photo", size: 50, seed: 9))
            try await phone.save(record)
            let tablet = try await phones.database()
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title = 'milk'"))
            let found = [
                try await tablet.record(for: record.recordID),
                try #require(try await tablet.records(for: [record.recordID])[record.recordID]).get(),
                try #require(try await tablet.records(matching: query).matchResults.first?.1).get(),
                try #require(
                    try await tablet.recordZoneChanges(inZoneWith: notes, since: nil)
                        .modificationResultsByID[record.recordID]
                ).get().record,
            ]
            for record in found {
                let sizes = try (record["pages"] as? [CKAsset])?.map { try files.size(of: $0) }
                #expect(sizes == [100, 200, 300])
                #expect(try files.size(of: record["photo"] as? CKAsset) == 50)
                let all: [CKAsset]? = record["pages"]
                let one: CKAsset? = record["photo"]
                #expect(all?.count == 3 && one != nil)
            }
            let open = try await phones.database("alice@example.com", .public)
            let poster = CKRecord(recordType: "Poster", recordID: CKRecord.ID(recordName: "p"))
            poster["picture"] = CKAsset(fileURL: try files.make("poster", size: 77, seed: 7))
            try await open.save(poster)
            let seen = try await phones.database("bob@example.com", .public).record(for: poster.recordID)
            #expect(try files.size(of: seen["picture"] as? CKAsset) == 77)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `is replaced, moved to another field or record, kept, or taken out of its record`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let phone = try await phones.databaseWithNotes(traffic)
            let record = note("n", title: "milk")
            record["photo"] = CKAsset(fileURL: try files.make("one", size: 100, seed: 1))
            try await phone.save(record)
            #expect(traffic.take().uploads == 1)
            // Kept: nothing is sent again, whichever keys are.
            record["title"] = "bread"
            for policy in [CKModifyRecordsOperation.RecordSavePolicy.allKeys, .changedKeys] {
                #expect(try await phone.result(of: record, policy)?.isSuccess == true)
            }
            record["photo"] = record["photo"] as? CKAsset
            #expect(try await phone.result(of: record)?.isSuccess == true)
            #expect(traffic.take().uploads == 0)
            #expect(try files.size(of: record["photo"] as? CKAsset) == 100)
            // To another field and another record: each has its own.
            record["cover"] = record["photo"] as? CKAsset
            let other = note("o")
            other["photo"] = record["photo"] as? CKAsset
            let saved = try await phone.modifyRecords(saving: [record, other], deleting: [])
            #expect(saved.saveResults.failures().isEmpty)
            #expect(traffic.take().uploads == 2)
            // Replaced, and taken out.
            record["photo"] = CKAsset(fileURL: try files.make("two", size: 200, seed: 2))
            record["cover"] = nil as CKAsset?
            try await phone.save(record)
            let found = try await phones.database().record(for: record.recordID)
            #expect(try files.size(of: found["photo"] as? CKAsset) == 200)
            #expect(found["cover"] == nil as CKAsset?)
            #expect(try await phones.cloud.problems() == [])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of the server's record in a conflict has no file, and the client's still has its own`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let record = note("n")
            record["photo"] = CKAsset(fileURL: try files.make("one", size: 100, seed: 1))
            try await phone.save(record)
            let theirs = try await tablet.record(for: record.recordID)
            theirs["photo"] = CKAsset(fileURL: try files.make("two", size: 200, seed: 2))
            try await tablet.save(theirs)
            let mine = try files.make("three", size: 300, seed: 3)
            record["photo"] = CKAsset(fileURL: mine)
            let error = try #require(try await phone.result(of: record)?.ckError)
            #expect(error.code == .serverRecordChanged)
            let onServer = try #require(error.serverRecord?["photo"] as? CKAsset)
            #expect(onServer.fileURL == nil)
            #expect((error.clientRecord?["photo"] as? CKAsset)?.fileURL == mine)
            // Resolved in the way the documentation shows.
            let merged = try #require(error.serverRecord)
            merged["photo"] = CKAsset(fileURL: mine)
            try await phone.save(merged)
            let last = try await tablet.record(for: record.recordID)
            #expect(try files.size(of: last["photo"] as? CKAsset) == 300)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `tells how much of it has gone out or come in, and ends with one for every record`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let phone = try await phones.databaseWithNotes()
            let record = note("n")
            record["photo"] = CKAsset(fileURL: try files.make("large", size: 9_000_000, seed: 1))
            let plain = note("plain")
            let save = CKModifyRecordsOperation(recordsToSave: [record, plain])
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var told: [String: [Double]] = [:]
            save.perRecordProgressBlock = { told[$0.recordID.recordName, default: []].append($1) }
            try await withCheckedThrowingContinuation { waiter in
                save.modifyRecordsResultBlock = { waiter.resume(with: $0) }
                phone.add(save)
            }
            #expect(told["plain"] == [1])
            let sent = told["n"] ?? []
            #expect(sent.count > 2 && sent == sent.sorted() && sent.last == 1 && sent.filter { $0 == 1 }.count == 1)
            let fetch = CKFetchRecordsOperation(recordIDs: [record.recordID, plain.recordID])
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var came: [String: [Double]] = [:]
            fetch.perRecordProgressBlock = { came[$0.recordName, default: []].append($1) }
            try await withCheckedThrowingContinuation { waiter in
                fetch.fetchRecordsResultBlock = { waiter.resume(with: $0) }
                Task { try await phones.database().add(fetch) }
            }
            #expect(came["plain"] == [1])
            let pieces = came["n"] ?? []
            #expect(pieces.count == 9 && pieces == pieces.sorted() && pieces.last == 1)
        }
    }

    @Test func `in an archive keeps its name at the service and its file`() async throws {
        try await CloudSetUp.ways[0].withAssetPhones { phones, files in
            let phone = try await phones.databaseWithNotes()
            let record = note("n")
            record["photo"] = CKAsset(fileURL: try files.make("one", size: 100, seed: 1))
            try await phone.save(record)
            let unsaved = try files.make("two", size: 50, seed: 2)
            record["pages"] = [CKAsset(fileURL: unsaved)]
            let data = try NSKeyedArchiver.archivedData(withRootObject: record, requiringSecureCoding: true)
            let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data))
            #expect(try files.size(of: again["photo"] as? CKAsset) == 100)
            #expect((again["pages"] as? [CKAsset])?.first?.fileURL == unsaved)
            try await phone.save(again)
            let found = try await phones.database().record(for: record.recordID)
            #expect(try (found["pages"] as? [CKAsset])?.map { try files.size(of: $0) } == [50])
        }
    }

    @Test func `cannot be looked for in a query`() async throws {
        try await CloudSetUp.ways[0].withAssetPhones { phones, files in
            let phone = try await phones.databaseWithNotes()
            let asset = CKAsset(fileURL: try files.make("one", size: 1, seed: 1))
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "photo = %@", asset))
            let error = await #expect(throws: CKError.self) { try await phone.records(matching: query) }
            #expect(error?.code == .invalidArguments && error?.localizedDescription.contains("'photo'") == true)
        }
    }
}

/// Files of an app, in a folder that goes at the end of a test.
struct AppFiles {
    let folder: URL

    /// A file of `size` bytes that depend on `seed`.
    func make(_ name: String, size: Int, seed: UInt8) throws -> URL {
        let file = folder.appendingPathComponent(name)
        let bytes = (0..<min(size, 251)).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ seed }
        var data = Data(capacity: size)
        while data.count + bytes.count <= size, !bytes.isEmpty { data.append(contentsOf: bytes) }
        data.append(contentsOf: bytes.prefix(size - data.count))
        try data.write(to: file)
        return file
    }

    func size(of asset: CKAsset?) throws -> Int? {
        try asset?.fileURL.map { try Data(contentsOf: $0).count }
    }
}

extension CloudSetUp {
    func withAssetPhones(limits: CloudLimits = CloudLimits(), _ body: (Phones, AppFiles) async throws -> Void)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("assets-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withCloud(limits: limits) { try await body(Phones(cloud: $0), AppFiles(folder: folder)) }
    }
}
