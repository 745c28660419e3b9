import CloudCore
import CoreLocation
import Foundation
import Testing

@testable import CloudKit

/// What apps keep on disk.
@Suite struct `An archive` {
    typealias Archived = NSObject & NSSecureCoding

    /// One of each class that can be archived.
    private static func objects() -> [any Archived] {
        let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: "_owner")
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zone))
        record["title"] = "milk"
        let share = CKShare(rootRecord: record)
        let info = CKSubscription.NotificationInfo(alertBody: "hello", shouldSendContentAvailable: true)
        let query = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "title = 'milk'"), subscriptionID: "q",
            options: .firesOnRecordCreation)
        query.notificationInfo = info
        let group = CKOperationGroup()
        group.name = "download"
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
            previousServerChangeToken: CKServerChangeToken("t"), resultsLimit: 7, desiredKeys: ["title"])
        return [
            record, share, record.recordID, zone, CKRecordZone(zoneID: zone),
            CKRecord.Reference(record: record, action: .deleteSelf), CKServerChangeToken("t"),
            CKQuery(recordType: "Note", predicate: NSPredicate(value: true)),
            CKQueryOperation.Cursor([1, 2], zoneID: zone),
            CKLocationSortDescriptor(key: "place", relativeLocation: CLLocation(latitude: 1, longitude: 2)),
            CLLocation(latitude: 1, longitude: 2), query, CKRecordZoneSubscription(zoneID: zone, subscriptionID: "z"),
            CKDatabaseSubscription(subscriptionID: "d"), info, CKShare.Participant.oneTimeURLParticipant(), share.owner,
            CKUserIdentity.LookupInfo(emailAddress: "a@example.com"), share.owner.userIdentity,
            CKAllowedSharingOptions.standard, configuration, group,
        ]
    }

    private func bytes(_ object: any Archived) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private func read<Object: Archived>(_ like: Object, _ data: Data) throws -> (any Archived)? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: like), from: data)
    }

    @Test func `of any class that can be kept gives it back, and the same archive again`() throws {
        for object in Self.objects() {
            let data = try bytes(object)
            let back = try #require(try read(object, data), "\(type(of: object))")
            #expect(type(of: back) == type(of: object))
            // Dictionaries have no order, so that only the size of what is written again can be compared.
            #expect(try bytes(back).count == data.count, "\(type(of: object))")
        }
    }

    @Test func `that was cut off gives nothing and ends no process`() throws {
        for object in Self.objects() {
            let data = try bytes(object)
            for length in stride(from: 0, to: data.count, by: max(1, data.count / 7)) {
                #expect((try? read(object, data.prefix(length))) == nil, "\(type(of: object)), \(length) bytes")
            }
        }
    }

    /// An archive that says it has an object of a class, and nothing of it.
    private func hollow(_ type: AnyClass) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        archiver.encode(Hollow(), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let text = try #require(String(data: archiver.encodedData, encoding: .utf8))
        let own = NSStringFromClass(Hollow.self)
        #expect(text.contains(own))
        return Data(text.replacing(own, with: NSStringFromClass(type)).utf8)
    }

    @Test func `that lacks what its class needs gives an error`() throws {
        // These need nothing: what is not there has its default.
        let needless = [
            CKOperationGroup.self, CKFetchRecordZoneChangesOperation.ZoneConfiguration.self,
            CKSubscription.NotificationInfo.self, CKAllowedSharingOptions.self,
        ]
        for object in Self.objects() where !needless.contains(where: { type(of: object) == $0 }) {
            #expect(throws: (any Error).self, "\(type(of: object))") {
                try read(object, try hollow(type(of: object)))
            }
        }
    }

    @Test func `that lacks what its class needs, read by a coder that returns no errors, gives nothing with a name`()
        throws
    {
        func coder(_ type: AnyClass) throws -> NSKeyedUnarchiver {
            let coder = try NSKeyedUnarchiver(forReadingFrom: hollow(type))
            #expect(coder.decodingFailurePolicy == .raiseException)
            return coder
        }
        #expect(try CKQuery(coder: coder(CKQuery.self)).recordType == "")
        #expect(
            try CKLocationSortDescriptor(coder: coder(CKLocationSortDescriptor.self)).relativeLocation.altitude == 0)
        #expect(try CKQuerySubscription(coder: coder(CKQuerySubscription.self)).subscriptionID == "")
        #expect(try CKRecordZoneSubscription(coder: coder(CKRecordZoneSubscription.self)).subscriptionID == "")
        #expect(try CKDatabaseSubscription(coder: coder(CKDatabaseSubscription.self)).subscriptionID == "")
        #expect(try CKShare(coder: coder(CKShare.self)).recordID.recordName == "")
    }
}

/// Stands in for any class in an archive. Not private: an archiver names top-level classes only.
final class Hollow: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}
