import CloudCore
import CoreLocation
import Foundation
import Testing

@testable import CloudKit

private func filters(_ predicate: NSPredicate) throws -> [QueryFilter] {
    try CKQuery(recordType: "Recipe", predicate: predicate).recordQuery(currentUser: "_me").filters
}

private func filter(_ name: String, _ comparator: CloudCore.Comparator, _ value: FieldValue) -> QueryFilter {
    QueryFilter(field: .user(name), comparator: comparator, value: value)
}

private let nothing = QueryFilter(field: .system(.recordName), comparator: .in, value: .list(.string, []))

@Suite struct PredicateTests {
    struct Accepted: CustomTestStringConvertible, Sendable {
        var format: String
        var filters: [QueryFilter]
        var testDescription: String { format }

        init(_ format: String, _ filters: QueryFilter...) {
            self.format = format
            self.filters = filters
        }
    }

    static let accepted = [
        Accepted("title = 'soup'", filter("title", .equals, .string("soup"))),
        Accepted("title == \"it's\"", filter("title", .equals, .string("it's"))),
        Accepted("title == 'it\\'s'", filter("title", .equals, .string("it's"))),
        Accepted("title <> 'a'", filter("title", .notEquals, .string("a"))),
        Accepted("title != 'a'", filter("title", .notEquals, .string("a"))),
        Accepted("n < 3", filter("n", .lessThan, .int64(3))),
        Accepted("n <= -3", filter("n", .lessThanOrEquals, .int64(-3))),
        Accepted("n =< 3.5", filter("n", .lessThanOrEquals, .double(3.5))),
        Accepted("n>3", filter("n", .greaterThan, .int64(3))),
        Accepted("n >= 1e3", filter("n", .greaterThanOrEquals, .double(1000))),
        Accepted("n => 3", filter("n", .greaterThanOrEquals, .int64(3))),
        Accepted("3 < n", filter("n", .greaterThan, .int64(3))),
        Accepted("isNew == YES", filter("isNew", .equals, .int64(1))),
        Accepted("isNew == false", filter("isNew", .equals, .int64(0))),
        Accepted(
            "n BETWEEN {1, 5}", filter("n", .greaterThanOrEquals, .int64(1)),
            filter("n", .lessThanOrEquals, .int64(5))),
        Accepted("title beginswith 'so'", filter("title", .beginsWith, .string("so"))),
        Accepted("n IN {1, 2}", filter("n", .in, .list(.int64, [.int64(1), .int64(2)]))),
        Accepted("tags CONTAINS 'a'", filter("tags", .listContains, .string("a"))),
        Accepted("'a' IN tags", filter("tags", .listContains, .string("a"))),
        Accepted("ANY tags = 'a'", filter("tags", .listContains, .string("a"))),
        Accepted("SOME tags IN {'a'}", filter("tags", .listContainsAny, .list(.string, [.string("a")]))),
        Accepted("ANY tags BEGINSWITH 'a'", filter("tags", .listMemberBeginsWith, .string("a"))),
        Accepted("ANY {'a', 'b'} = title", filter("title", .in, .list(.string, [.string("a"), .string("b")]))),
        Accepted(
            "(a = 1) AND ((b = 2 && c = 3))", filter("a", .equals, .int64(1)), filter("b", .equals, .int64(2)),
            filter("c", .equals, .int64(3))),
        Accepted("NOT (a = 1)", filter("a", .notEquals, .int64(1))),
        Accepted("!(tags CONTAINS 'a')", filter("tags", .notListContains, .string("a"))),
        Accepted("not a IN {1}", filter("a", .notIn, .list(.int64, [.int64(1)]))),
        Accepted("#in = 4", filter("in", .equals, .int64(4))),
        Accepted("(n) = (4)", filter("n", .equals, .int64(4))),
        Accepted(
            "self CONTAINS 'Red wine'",
            QueryFilter(field: .text, comparator: .containsAnyTokens, value: .string("Red wine"))),
        Accepted(
            "SELF CONTAINS[cd] 'x'", QueryFilter(field: .text, comparator: .containsAnyTokens, value: .string("x"))),
        Accepted(
            "allTokens TOKENMATCHES[cdl] 'x'",
            QueryFilter(field: .text, comparator: .containsAllTokens, value: .string("x"))),
        Accepted("title TOKENMATCHES[cdl] 'x'", filter("title", .containsAllTokens, .string("x"))),
        Accepted(
            "allTokens TOKENMATCHES[cdl] tokenize:using:('x y', 'cdl')",
            QueryFilter(field: .text, comparator: .containsAllTokens, value: .string("x y"))),
        Accepted(
            "ALL tokenize('x y', 'Cdl') IN allTokens",
            QueryFilter(field: .text, comparator: .containsAllTokens, value: .string("x y"))),
        Accepted(
            "ANY tokenize('x y', 'Cdl') IN allTokens",
            QueryFilter(field: .text, comparator: .containsAnyTokens, value: .string("x y"))),
        Accepted("ANY tokenize('x y') IN title", filter("title", .containsAnyTokens, .string("x y"))),
        Accepted("TRUEPREDICATE"),
        Accepted("NOT TRUEPREDICATE", nothing), Accepted("FALSEPREDICATE", nothing),
        Accepted("a = 1 AND TRUEPREDICATE", filter("a", .equals, .int64(1))),
    ]

    @Test(arguments: accepted) func `a predicate within the rules becomes filters`(_ example: Accepted) throws {
        #expect(try filters(NSPredicate(format: example.format)) == example.filters)
    }

    @Test(arguments: [
        ("a = 1 OR b = 2", "OR"), ("a = 1 || b = 2", "OR"), ("ALL tags = 'a'", "ALL"), ("NONE tags = 'a'", "NONE"),
        ("title ENDSWITH 'a'", "ENDSWITH"), ("title LIKE 'a*'", "LIKE"), ("title MATCHES 'a.*'", "MATCHES"),
        ("author.name = 'a'", "author.name"), ("NOT (a = 1 AND b = 2)", "NOT of AND"),
        ("NOT (n BETWEEN {1, 2})", "BETWEEN"), ("self CONTAINS 5", "one string"),
        ("allTokens = 'word'", "TOKENMATCHES"), ("NOT (self CONTAINS 'word')", "CONTAINS"), ("title = nil", "nil"),
        ("a = b", "'b'"),
        ("lowercase(title) = 'a'", "lowercase"), ("n + 1 = 2", "+"),
        ("title =[cd] 'a'", "=[cd]"), ("title BEGINSWITH[c] 'a'", "BEGINSWITH[c]"), ("title = 'open", "closing '"),
        ("title ~ 'a'", "'~'"), ("title =", "ends too early"), ("", "ends too early"), ("n = %q", "%q"),
        ("n = %d", "more conversions"), ("1 = 1", "one field"), ("n IN {1, 'a'}", "mixed types"),
        ("n BETWEEN {1}", "BETWEEN"), ("a = 1 b = 2", "'b'"), ("_a = 1", "_a"), ("share = 'x'", "share"),
        ("distanceToLocation:fromLocation:(place, here) < 10", "a CLLocation"),
        ("allTokens TOKENMATCHES tokenize:using:(5, 'cdl')", "needs a string"),
        ("tokenize('a', 'cdl') IN allTokens", "ALL or ANY"), ("ALL tokenize('a', 'x') IN allTokens", "'cdl'"),
        ("title BEGINSWITH 5", "BEGINSWITH"),
        (String(repeating: "(", count: 100) + "a = 1" + String(repeating: ")", count: 100), "nested"),
        (String(repeating: "(", count: 10_000), "nested"), (String(repeating: "{", count: 10_000), "nested"),
        ("a IN " + String(repeating: "{", count: 10_000), "nested"),
    ])
    func `what a query cannot answer is refused by name when it runs`(_ format: String, _ named: String) {
        let error = #expect(throws: CKError.self) { try filters(NSPredicate(format: format)) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.localizedDescription.contains(named) == true, "\(error?.localizedDescription ?? "")")
    }

    @Test func `arguments take their places in the format`() throws {
        let name = "soup"
        let day = Date(timeIntervalSince1970: 1.5)
        let id = CKRecord.ID(recordName: "f1")
        let reference = FieldValue.reference(Reference(recordName: "f1"))
        #expect(
            try filters(NSPredicate(format: "%K == %@ AND n > %d AND x < %f", "title", name, 3, 0.5)) == [
                filter("title", .equals, .string("soup")), filter("n", .greaterThan, .int64(3)),
                filter("x", .lessThan, .double(0.5)),
            ])
        #expect(
            try filters(NSPredicate(format: "day >= %@", day as NSDate)) == [
                filter("day", .greaterThanOrEquals, .timestamp(1500))
            ])
        #expect(try filters(NSPredicate(format: "folder == %@", id)).map(\.value.name) == ["f1"])
        #expect(
            try filters(NSPredicate(format: "folder == %@", CKRecord.Reference(recordID: id, action: .deleteSelf)))
                .map(\.value.name) == ["f1"])
        #expect(reference.name == "f1")
        #expect(
            try filters(NSPredicate(format: "n IN %@", [1, 2])) == [
                filter("n", .in, .list(.int64, [.int64(1), .int64(2)]))
            ])
        #expect(
            try filters(NSPredicate(format: "n IN %@", NSSet(array: ["a"]))) == [
                filter("n", .in, .list(.string, [.string("a")]))
            ])
        #expect(try filters(NSPredicate(format: "n IN %@", [Int]())) == [filter("n", .in, .list(nil, []))])
        #expect(
            try filters(NSPredicate(format: "a = %@ AND b = %ld", argumentArray: ["x", 7])) == [
                filter("a", .equals, .string("x")), filter("b", .equals, .int64(7)),
            ])
        #expect(throws: CKError.self) { try filters(NSPredicate(format: "a = %d", "x")) }
    }

    @Test func `keys of every record become system fields`() throws {
        #expect(
            try filters(NSPredicate(format: "recordID = %@", CKRecord.ID(recordName: "r")))
                == [QueryFilter(field: .system(.recordName), comparator: .equals, value: .string("r"))])
        let creator = CKRecord.SystemFieldKey.creatorUserRecordID
        #expect(
            try filters(NSPredicate(format: "%K = %@", creator, CKCurrentUserDefaultName))
                == [
                    QueryFilter(
                        field: .system(.createdUserRecordName), comparator: .equals,
                        value: .reference(Reference(recordName: "_me")))
                ])
        let query = CKQuery(recordType: "Recipe", predicate: NSPredicate(value: true))
        query.sortDescriptors = [
            NSSortDescriptor(key: "modificationDate", ascending: false),
            NSSortDescriptor(key: "title", ascending: true),
        ]
        #expect(
            try query.recordQuery().sorts == [
                QuerySort(field: .system(.modifiedTimestamp), ascending: false),
                QuerySort(field: .user("title"), ascending: true),
            ])
        query.sortDescriptors = [
            NSSortDescriptor(keyPath: \CKRecord.creationDate, ascending: false),
            NSSortDescriptor(keyPath: \CKRecord.modificationDate, ascending: true),
        ]
        #expect(
            try query.recordQuery().sorts == [
                QuerySort(field: .system(.createdTimestamp), ascending: false),
                QuerySort(field: .system(.modifiedTimestamp), ascending: true),
            ])
        query.sortDescriptors = [NSSortDescriptor(keyPath: \CKRecord.recordType, ascending: true)]
        #expect(throws: CKError.self) { try query.recordQuery() }
    }

    @Test func `value and compound predicates count, block predicates do not`() throws {
        #expect(try filters(NSPredicate(value: true)).isEmpty)
        #expect(try filters(NSPredicate(value: false)) == [nothing])
        let parts = [NSPredicate(format: "a = 1"), NSPredicate(format: "b = 2")]
        #expect(try filters(NSCompoundPredicate(andPredicateWithSubpredicates: parts)).count == 2)
        #expect(throws: CKError.self) { try filters(NSCompoundPredicate(orPredicateWithSubpredicates: parts)) }
        #expect(
            try filters(NSCompoundPredicate(notPredicateWithSubpredicate: parts[0]))
                == [filter("a", .notEquals, .int64(1))])
        #expect(throws: CKError.self) { try filters(NSPredicate { _, _ in true }) }
    }

    @Test func `a distance is less than a number of metres, on either side`() throws {
        let here = CLLocation(latitude: 52.52, longitude: 13.405)
        let expected = QueryFilter(
            field: .user("place"), comparator: .near, value: .location(Location(here)), distance: 1500)
        for format in [
            "distanceToLocation:fromLocation:(place, %@) < 1500", "distanceToLocation:fromLocation:(%@, place) <= 1500",
            "1500 > distanceToLocation:fromLocation:(place, %@)",
        ] {
            #expect(try filters(NSPredicate(format: format, here)) == [expected], "\(format)")
        }
        let refused = [
            "distanceToLocation:fromLocation:(place, %@) > 1500", "distanceToLocation:fromLocation:(place, %@) < 'x'",
            "NOT (distanceToLocation:fromLocation:(place, %@) < 1500)",
            "distanceToLocation:fromLocation:(place, %@) < -1", "ANY distanceToLocation:fromLocation:(place, %@) < 1",
        ]
        for format in refused {
            let error = #expect(throws: CKError.self) { try filters(NSPredicate(format: format, here)) }
            #expect(error?.code == .invalidArguments, "\(format)")
        }
    }

    @Test func `an order by distance has a place and survives a keyed archive, alone and in its query`() throws {
        let here = CLLocation(latitude: 52.52, longitude: 13.405)
        let nearest = CKLocationSortDescriptor(key: "place", relativeLocation: here)
        #expect(nearest.ascending && nearest.relativeLocation.coordinate.latitude == 52.52)
        let query = CKQuery(
            recordType: "Cafe",
            predicate: NSPredicate(format: "distanceToLocation:fromLocation:(place, %@) < %f", here, 1500.0))
        query.sortDescriptors = [nearest, NSSortDescriptor(key: "title", ascending: false)]
        #expect(
            try query.recordQuery().sorts == [
                QuerySort(field: .user("place"), relativeLocation: Location(here)),
                QuerySort(field: .user("title"), ascending: false),
            ])
        let data = try NSKeyedArchiver.archivedData(withRootObject: query, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data))
        #expect(try back.recordQuery() == query.recordQuery())
        #expect(back.sortDescriptors?.first is CKLocationSortDescriptor)
        let own = try NSKeyedArchiver.archivedData(withRootObject: nearest, requiringSecureCoding: true)
        let again = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKLocationSortDescriptor.self, from: own))
        #expect(again.relativeLocation.coordinate.longitude == 13.405)
    }

    @Test func `a query survives a keyed archive`() throws {
        let query = CKQuery(recordType: "Recipe", predicate: NSPredicate(format: "n > 3 AND title BEGINSWITH 'a'"))
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        let data = try NSKeyedArchiver.archivedData(withRootObject: query, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data))
        #expect(try back.recordQuery() == query.recordQuery())
    }
}

extension FieldValue {
    fileprivate var name: String? { if case .reference(let reference) = self { reference.recordName } else { nil } }
}
