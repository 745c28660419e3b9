import CloudCore
import CloudCrypto
import CloudServer
import CloudStorage
import CloudTestSupport
import CloudWire

/// A service with a tree that Anna may share with Bert, and words for what they ask.
struct SharedCloud {
    let cloud: TestCloud
    let anna, bert: TestUser

    init() async throws {
        let cloud = try TestCloud()
        try await self.init(cloud, bertAt: cloud)
    }

    /// - Parameter other: The service that Bert uses.
    init(_ cloud: TestCloud, bertAt other: TestCloud) async throws {
        self.cloud = cloud
        anna = try await cloud.signIn("anna@example.org", device: "a")
        bert = try await other.signIn("bert@example.org", device: "b")
        _ = await anna.post("private/zones/modify", Bodies.zone("create", "Notes"))
        _ = await anna.post("private/records/modify", Bodies.note("root", title: "milk", zone: "Notes"))
    }

    struct Refused: Error {
        let body: String
        init(answer: TestAnswer) { body = answer.body }
        init(_ body: String) { self.body = body }
    }

    static let invitation = """
        {"type":"USER","permission":"READ_WRITE","acceptanceStatus":"INVITED",\
        "userIdentity":{"lookupInfo":{"emailAddress":"Bert@example.org"}}}
        """

    /// The records that a modify in Anna's zone saves.
    func modify(_ records: String..., type: String = "create", by user: TestUser? = nil) async throws -> [Record] {
        let operations = records.map { #"{"operationType":"\#(type)","record":\#($0)}"# }.joined(separator: ",")
        let answer = await (user ?? anna).post(
            "private/records/modify", #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(operations)]}"#)
        guard answer.status == 200 else { throw Refused(answer: answer) }
        return try RecordsModifyResponse.decode(Array(answer.body.utf8)).records.map { item in
            guard case .record(let record) = item else { throw Refused(answer: answer) }
            return record
        }
    }

    /// Shares the tree by the share `S`.
    /// - Parameter more: Further members of the share record.
    func share(_ more: String) async throws -> Record {
        try await modify(
            #"{"recordName":"S","recordType":"cloudkit.share","fields":{"cloudkit.title":{"value":"Groceries"}},"#
                + #""forRecord":{"recordName":"root"},\#(more)}"#)[0]
    }

    /// Sets what everybody with the URL of the share `S` may do.
    func setPublic(_ permission: String) async throws {
        let found = await anna.post(
            "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"S"}]}"#)
        guard let tag = Bodies.string("recordChangeTag", in: found.body) else { throw Refused(answer: found) }
        _ = try await modify(
            #"{"recordName":"S","recordChangeTag":"\#(tag)","publicPermission":"\#(permission)"}"#, type: "update")
    }

    static func links(_ guids: String..., more: String = "") -> String {
        #"{"shortGUIDs":[\#(guids.map { #"{"value":"\#($0)"\#(more)}"# }.joined(separator: ","))]}"#
    }

    func results(_ operation: String, _ json: String, by user: TestUser) async throws -> [ShareItem] {
        let answer = await user.post("public/records/\(operation)", json)
        guard answer.status == 200 else { throw Refused(answer: answer) }
        return try ShareMetadataResponse.decode(Array(answer.body.utf8)).results
    }

    func metadata(_ operation: String, _ json: String, by user: TestUser) async throws -> WireShareMetadata {
        let results = try await results(operation, json, by: user)
        guard case .metadata(let metadata)? = results.first, results.count == 1 else {
            throw Refused("\(results)")
        }
        return metadata
    }
}

extension SharedCloud {
    /// A service for people, with two accounts and a share of the first.
    struct Members {
        let cloud: TestCloud

        init() throws { cloud = try TestCloud(mode: .serve) }

        /// - Returns: The share's GUID.
        func share() async throws -> String {
            let container = ContainerID(TestCloud.container)
            let hash = PasswordHash.make("right")
            return try await cloud.store.write { transaction in
                try transaction.createContainer(container)
                let anna = try transaction.addAccount(email: "anna@example.org", passwordHash: hash)
                _ = try transaction.addAccount(email: "bert@example.org", passwordHash: hash)
                let writer = Writer(userName: try transaction.userName(of: anna.id, in: container))
                let database = DatabaseID(
                    container: container, environment: .development, scope: .private, owner: writer.userName)
                let zone = ZoneID(name: "Notes", owner: writer.userName)
                try transaction.createZone(zone, in: database, by: writer)
                let share = RecordOperation(
                    type: .create, id: RecordID(name: Sharing.zoneWideName, zone: zone), recordType: Sharing.recordType,
                    sharing: SharingDraft(publicPermission: .readOnly))
                let results = try transaction.modify([share], in: database, zone: zone, atomic: true, by: writer)
                guard case .saved(let record) = try results[0].get(), let guid = record.shortGUID else {
                    throw CloudError(.internalError, "the zone is not shared")
                }
                return guid
            }
        }
    }
}
