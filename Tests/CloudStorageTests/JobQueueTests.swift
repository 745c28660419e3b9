import CloudCore
@testable import CloudStorage
import Testing

@Suite struct `The queue of writes` {
    private func database(_ owner: String) -> DatabaseID {
        DatabaseID(container: ContainerID("c"), environment: .development, scope: .private, owner: owner)
    }

    @Test func `hands out one database's jobs together, and no more of it until they are done`() throws {
        let queue = JobQueue(isGrouped: true)
        let jobs = (0..<4).map { _ in TestJob { _ in } }
        let (a, b) = (database("a"), database("b"))
        #expect(queue.add(jobs[0], for: a))
        #expect(queue.add(jobs[1], for: b))
        #expect(queue.add(jobs[2], for: a))
        let first = try #require(queue.take(limit: 10))
        #expect(first.groups == [a])
        #expect(first.jobs.map(ObjectIdentifier.init) == [jobs[0], jobs[2]].map(ObjectIdentifier.init))
        #expect(queue.add(jobs[3], for: a))
        #expect(queue.take(limit: 10)?.groups == [b])
        queue.done(first)
        #expect(queue.take(limit: 10)?.jobs.map(ObjectIdentifier.init) == [ObjectIdentifier(jobs[3])])
        queue.close()
        #expect(!queue.add(jobs[0], for: b))
        #expect(queue.take(limit: 10) == nil)
    }

    private func job(of database: DatabaseID, records: Int) -> TestJob {
        var needs = RecordNeeds(capacity: records)
        for number in 0..<records { needs.add(.create, "n\(number)", recordType: "Note", [], parent: nil) }
        let zone = ZoneID(name: "Notes", owner: database.owner)
        return TestJob(ahead: ReadAhead(needs, in: database, zone: zone)) { _ in }
    }

    @Test func `takes databases together whose jobs say what they read, while that is little`() throws {
        let queue = JobQueue(isGrouped: true)
        let sizes = [("a", 1), ("b", JobQueue.sharedWeight - 2), ("c", 2), ("d", 1)]
        for (owner, size) in sizes {
            #expect(queue.add(job(of: database(owner), records: size), for: database(owner)))
        }
        let first = try #require(queue.take(limit: 10))
        #expect(first.groups == ["a", "b", "d"].map { database($0) })
        #expect(queue.add(job(of: database("d"), records: 1), for: database("d")))
        #expect(queue.take(limit: 10)?.groups == [database("c")])
        queue.done(first)
        #expect(queue.take(limit: 10)?.groups == [database("d")])
    }

    @Test func `leaves those alone that do not say what they read, or are of another container`() throws {
        let queue = JobQueue(isGrouped: true)
        let other = DatabaseID(container: ContainerID("other"), environment: .development, scope: .private, owner: "b")
        #expect(queue.add(job(of: database("a"), records: 1), for: database("a")))
        #expect(queue.add(TestJob { _ in }, for: database("b")))
        #expect(queue.add(job(of: other, records: 1), for: other))
        #expect(queue.add(TestJob { _ in }, for: database("c")))
        #expect(queue.add(job(of: database("c"), records: 1), for: database("c")))
        #expect(queue.add(job(of: database("d"), records: 1), for: database("d")))
        #expect(queue.take(limit: 10)?.groups == [database("a"), database("d")])
        for group in [database("b"), other, database("c")] { #expect(queue.take(limit: 10)?.groups == [group]) }
    }

    @Test func `takes no more than asked for, and gives the rest next`() {
        let queue = JobQueue(isGrouped: false)
        for _ in 0..<3 { #expect(queue.add(TestJob { _ in })) }
        #expect((0..<2).map { _ in queue.take(limit: 2)?.jobs.count } == [2, 1])
    }
}
