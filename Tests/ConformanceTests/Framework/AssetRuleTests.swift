import CloudKit
import CloudTestSupport
import Foundation
import Testing

@Suite struct `An asset's file` {
    @Test(arguments: CloudSetUp.ways)
    func `is the app's own until the save, stays there, and is a copy after a fetch`(on setUp: CloudSetUp) async throws
    {
        try await setUp.withAssetPhones { phones, files in
            let phone = try await phones.databaseWithNotes()
            let url = try files.make("photo", size: 100, seed: 1)
            let asset = CKAsset(fileURL: url)
            #expect(asset.fileURL == url)
            #expect(asset != CKAsset(fileURL: url), "assets are told apart by object")
            let absent = files.folder.appendingPathComponent("absent")
            #expect(CKAsset(fileURL: absent).fileURL == absent, "nothing is read yet")
            let record = note("n")
            record["photo"] = asset
            try await phone.save(record)
            #expect(try Data(contentsOf: url).count == 100)
            let tablet = try await phones.database()
            let fetched = try #require(try await tablet.record(for: record.recordID)["photo"] as? CKAsset)
            let copy = try #require(fetched.fileURL)
            let (mine, theirs) = (try Data(contentsOf: url), try Data(contentsOf: copy))
            #expect(copy != url && mine == theirs)
        }
    }
}
