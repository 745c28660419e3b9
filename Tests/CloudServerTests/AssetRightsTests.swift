import CloudCore
import CloudStorage
import CloudTestSupport
import HTTPCore
import SQLCore
import Testing

/// What calls for assets leave behind when they are refused.
@Suite struct AssetRightsTests {
    private func databases(_ cloud: TestCloud) async throws -> [String] {
        try await cloud.store.read { transaction in
            var rows: [String] = []
            for sql in [
                "SELECT id, counter, container || ' ' || owner FROM cloud_database ORDER BY id",
                "SELECT db, last_change, name FROM zone ORDER BY db, id",
                "SELECT db, size, user_name FROM asset_receipt ORDER BY db, receipt",
            ] {
                try transaction.connection.query(sql, []) { row in
                    rows.append("\(row.integer(0)) \(row.integer(1)) \(row.text(2))")
                    return true
                }
            }
            return rows
        }
    }

    @Test(arguments: CloudSetUp.available.filter { $0.way == .inProcess })
    func `who may see nothing of a zone makes no database there and holds none`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let anna = AssetClient(user: try await cloud.signIn("anna@example.org"))
            try await anna.keep([1, 2, 3], in: "p1")
            let bert = try await cloud.signIn("bert@example.org")
            let before = try await databases(cloud)
            for owner in [anna.user.name, "_nobody", "_0123456789abcdef0123456789abcdef", #"\u0000"#] {
                let zone = #""zoneID":{"zoneName":"_defaultZone","ownerRecordName":"\#(owner)"}"#
                for scope in ["private", "shared"] {
                    let again = await bert.post(
                        "\(scope)/assets/rereference",
                        #"{\#(zone),"assets":[{"recordName":"p1","fieldName":"photo"}]}"#)
                    #expect(again.isRefusal("ZONE_NOT_FOUND"), "\(scope) \(owner): \(again.body)")
                    let upload = await bert.post(
                        "\(scope)/assets/upload",
                        #"{\#(zone),"tokens":[{"recordName":"p1","recordType":"Photo","fieldName":"photo"}]}"#)
                    #expect(upload.isRefusal("ZONE_NOT_FOUND"), "\(scope) \(owner): \(upload.body)")
                }
            }
            // Nobody, and in a public database that is not there yet.
            let path =
                "/database/1/\(TestCloud.container)/development/public/assets/rereference?ckAPIToken=\(TestCloud.apiToken())"
            let nobody = await cloud.request(
                "POST", path, json: #"{"assets":[{"recordName":"p1","fieldName":"photo"}]}"#)
            #expect(nobody.isRefusal("AUTHENTICATION_REQUIRED"), "\(nobody.body)")
            #expect(try await databases(cloud) == before)
        }
    }
}
