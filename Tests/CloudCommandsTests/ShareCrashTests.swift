import CloudStorage
import DatabaseTestSupport
import Foundation
import Glibc
import HTTPCore
import PostgresDriver
import SQLCore
import SQLiteDriver
import Synchronization
import Testing

/// Kills the service while people share, accept, leave and stop, and looks at what is left.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ShareCrashTests {
    private static let container = "iCloud.org.example.trees"
    private static let ends: [[Tree]] = [[.left, .stopped], [.stopped], []]

    @Test(arguments: CrashPlace.available)
    func `after a kill everybody takes part in what he was told he does, and no share is half there`(
        in place: CrashPlace
    ) async throws {
        let folder = try TemporaryFolder()
        try await place.withData(in: folder) { data in
            let garden = Garden()
            try await data.kill(rounds: 8, in: folder) { server, moment in
                let people = try await People(at: server, container: Self.container)
                try await check(people, garden, moment)
                return people
            } meanwhile: { people, round, kill in
                await change(garden, people, round, then: kill)
            }
            try await checkTables(data.words)
        }
    }

    /// Takes some trees over four connections from one state to the next, and ends the service at no chosen moment.
    private func change(_ garden: Garden, _ people: People, _ round: Int, then kill: () -> Void) async {
        let floor = garden.steps + Int.random(in: 1...40)
        let (progress, told) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            for connection in 0..<4 {
                group.addTask {
                    defer { told.finish() }
                    var number = 0
                    while !Task.isCancelled {
                        let name = "r\(round)c\(connection)n\(number)"
                        number += 1
                        for next in [Tree.shared, .accepted] + (Self.ends.randomElement() ?? []) {
                            garden.begin(name)
                            told.yield()
                            guard await people.bring(name, to: next) else { return }
                            garden.end(name, next)
                        }
                    }
                }
            }
            for await _ in progress where garden.steps >= floor { break }
            #expect(garden.steps >= floor, "requests failed before the kill of round \(round)")
            kill()
            group.cancelAll()
        }
    }

    private func check(_ people: People, _ garden: Garden, _ moment: String) async throws {
        for (name, tree) in garden.known {
            let found = try await people.look(at: name)
            let isRight = found.isShared == (tree != .stopped) && found.isSeen == (tree == .accepted)
            #expect(isRight, "\(name) should be \(tree) \(moment): \(found)")
        }
    }

    /// Looks at the tables themselves: whatever is half there does not agree with itself.
    private func checkTables(_ words: [String]) async throws {
        func value(_ word: String) -> String? { words.firstIndex(of: word).map { words[$0 + 1] } }
        var folder: DataFolder?
        let database: any SQLDatabase
        if let path = value("--data") {
            let data = try DataFolder(path)
            folder = data
            database = SQLiteDatabase(path: data.databasePath)
        } else {
            database = try PostgresDatabase(try #require(value("--store")))
        }
        let store = try CloudStore(database, folder: folder) { Int64(Date().timeIntervalSince1970 * 1000) }
        #expect(try await store.read { try $0.verify() } == [])
        await store.close()
    }
}

/// What is known of a tree and of whom it is shared with.
private enum Tree { case shared, accepted, left, stopped }

/// What was heard of each tree. Of those whose last answer never came nobody knows.
private final class Garden: Sendable {
    private struct State {
        var trees: [String: Tree] = [:]
        var steps = 0
    }

    private let state = Mutex(State())

    var known: [String: Tree] { state.withLock { $0.trees } }
    /// Requests that were begun.
    var steps: Int { state.withLock { $0.steps } }
    func begin(_ name: String) {
        state.withLock {
            $0.trees[name] = nil
            $0.steps += 1
        }
    }
    func end(_ name: String, _ tree: Tree) { state.withLock { $0.trees[name] = tree } }
}

/// Anna, who shares trees, and Bert, who is invited.
private struct People: Sendable {
    private let anna, bert: ServiceDevice
    private let owner: String

    init(at server: String, container: String) async throws {
        func device(_ name: String) async throws -> ServiceDevice {
            try await ServiceDevice(
                name, of: "\(name)@example.com", at: server, container: container,
                apiToken: String(repeating: "c", count: 64))
        }
        anna = try await device("anna")
        bert = try await device("bert")
        owner = try Self.text("userRecordName", in: await anna.post("public/users/caller"))
        _ = try await anna.post(
            "private/zones/modify",
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Trees"}}}]}"#)
    }

    private static func text(_ key: String, in answer: HTTPResponse) throws -> String {
        let pieces = answer.text.split(separator: "\"\(key)\":\"", maxSplits: 1)
        return try #require(pieces.count == 2 ? String(pieces[1].prefix { $0 != "\"" }) : nil, "\(answer.text)")
    }

    private var zone: String { #""zoneID":{"zoneName":"Trees","ownerRecordName":"\#(owner)"}"# }

    /// Does what brings a tree from the state before to this one; false when no success was heard of.
    func bring(_ name: String, to tree: Tree) async -> Bool {
        do {
            switch tree {
            case .shared:
                let root = #"{"recordName":"\#(name)","recordType":"Tree","createShortGUID":true,"fields":{}}"#
                let share =
                    #"{"recordName":"\#(name)-share","recordType":"cloudkit.share","forRecord":{"recordName":"\#(name)"},"#
                    + #""participants":[{"type":"USER","permission":"READ_WRITE","userIdentity":{"lookupInfo":"#
                    + #"{"emailAddress":"bert@example.com"}}}]}"#
                let operations = [root, share].map { #"{"operationType":"create","record":\#($0)}"# }
                return isDone(
                    try await anna.post(
                        "private/records/modify",
                        #"{\#(zone),"atomic":true,"operations":[\#(operations.joined(separator: ","))]}"#))
            case .accepted:
                let root = try await anna.post(
                    "private/records/lookup", #"{\#(zone),"records":[{"recordName":"\#(name)"}]}"#)
                guard isDone(root) else { return false }
                let guid = try Self.text("shortGUID", in: root)
                return isDone(try await bert.post("public/records/accept", #"{"shortGUIDs":[{"value":"\#(guid)"}]}"#))
            case .left, .stopped:
                let delete =
                    #"{\#(zone),"operations":[{"operationType":"forceDelete","record":{"recordName":"\#(name)-share"}}]}"#
                let isOwner = tree == .stopped
                return isDone(
                    try await (isOwner ? anna : bert).post("\(isOwner ? "private" : "shared")/records/modify", delete))
            }
        } catch {
            return false
        }
    }

    private func isDone(_ answer: HTTPResponse) -> Bool {
        answer.status == 200 && !answer.text.contains("serverErrorCode")
    }

    /// Whether the tree is shared, and whether Bert sees it.
    func look(at name: String) async throws -> (isShared: Bool, isSeen: Bool) {
        let records = #"{\#(zone),"records":[{"recordName":"\#(name)"},{"recordName":"\#(name)-share"}]}"#
        let own = try await anna.post("private/records/lookup", records)
        let seen = try await bert.post("shared/records/lookup", records)
        let misses = own.text.split(separator: "NOT_FOUND").count - 1
        #expect(misses <= 1, "the root of \(name) is gone: \(own.text)")
        return (misses == 0, isDone(seen))
    }
}
