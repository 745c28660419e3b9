import CloudKit
import Foundation
import Testing

@Suite struct `The configuration of an operation` {
    @Test func `has the documented defaults`() {
        let configuration = CKOperation.Configuration()
        #expect(configuration.qualityOfService == .default)
        #expect(configuration.allowsCellularAccess && !configuration.isLongLived)
        #expect(configuration.timeoutIntervalForRequest == 60)
        #expect(configuration.container == nil)
    }

    @Test func `gives a request seven days, or no end when somebody waits for it`() {
        let days: TimeInterval = 7 * 24 * 3600
        let expected: [(QualityOfService, TimeInterval)] = [
            (.default, days), (.utility, days), (.background, days), (.userInitiated, .infinity),
            (.userInteractive, .infinity),
        ]
        for (quality, timeout) in expected {
            let configuration = CKOperation.Configuration()
            configuration.qualityOfService = quality
            #expect(configuration.timeoutIntervalForResource == timeout)
        }
    }

    @Test func `is copied when it is set and when it is read, also that of a group`() {
        let operation = CKFetchRecordsOperation()
        let group = CKOperationGroup()
        let mine = CKOperation.Configuration()
        mine.timeoutIntervalForRequest = 5
        operation.configuration = mine
        group.defaultConfiguration = mine
        mine.timeoutIntervalForRequest = 6
        operation.configuration.timeoutIntervalForRequest = 7
        group.defaultConfiguration.timeoutIntervalForRequest = 7
        #expect(operation.configuration.timeoutIntervalForRequest == 5)
        #expect(group.defaultConfiguration.timeoutIntervalForRequest == 5)
    }
}

@Suite struct `An operation's identity` {
    @Test func `is unique, as its group's is`() {
        let operations = (0..<10).map { _ in CKFetchRecordsOperation().operationID }
        let groups = (0..<10).map { _ in CKOperationGroup().operationGroupID }
        #expect(Set(operations).count == 10 && Set(groups).count == 10)
    }
}
