import CloudKit
import CloudTestSupport
import Foundation
import HTTPCore
import Testing

/// What other clients keep in a record stays there, whatever this client does with the rest of it.
@Suite struct `An asset that another client saved` {
    @Test(arguments: CloudSetUp.ways)
    func `stays through fetches, archives and saves of its record`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let other = AssetClient(user: try await phones.cloud.signIn("alice@example.com"), zone: "Notes")
            try await other.keep([1, 2, 3], in: "n")
            let list = try await other.upload([4], for: "n", "photos")
            await other.save("n", "[\(list)]", "photos")

            let fetched = try await phone.record(for: noteID("n"))
            #expect(Set(fetched.allKeys()) == ["photo", "photos"])
            let data = try NSKeyedArchiver.archivedData(withRootObject: fetched, requiringSecureCoding: true)
            let record = try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data))
            record["title"] = "milk"
            for policy in [CKModifyRecordsOperation.RecordSavePolicy.changedKeys, .allKeys] {
                #expect(try await phone.result(of: record, policy)?.isSuccess == true)
                let photo = await other.download(try await other.downloadPath("n"))
                #expect(photo.body == [1, 2, 3])
                let answer = await other.lookUp("n")
                #expect(answer.body.contains("milk") && answer.body.contains("ASSETID_LIST"))
            }
        }
    }
}
