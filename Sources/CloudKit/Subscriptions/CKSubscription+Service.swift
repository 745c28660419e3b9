import CloudCore
import Foundation

extension CKSubscription {
    /// The subscription for the service. Owners are as the app named them: the placeholder, or another user.
    func subscription(currentUser: String? = nil) throws -> Subscription {
        if subscriptionID.isEmpty { throw CKError(.invalidArguments, reason: "a subscription's ID must not be empty") }
        return Subscription(id: subscriptionID, kind: try kind(currentUser), notificationInfo: notificationInfo?.core)
    }

    private func kind(_ currentUser: String?) throws -> Subscription.Kind {
        switch self {
        case let query as CKQuerySubscription:
            let options = query.querySubscriptionOptions
            var events: Set<Subscription.Event> = []
            if options.contains(.firesOnRecordCreation) { events.insert(.create) }
            if options.contains(.firesOnRecordUpdate) { events.insert(.update) }
            if options.contains(.firesOnRecordDeletion) { events.insert(.delete) }
            if events.isEmpty {
                throw CKError(
                    .invalidArguments, reason: "a query subscription must fire on creation, update or deletion")
            }
            let recordQuery = try CKQuery(recordType: query.recordType ?? "", predicate: query.predicate)
                .recordQuery(currentUser: currentUser)
            return .query(
                recordQuery, zone: query.zoneID?.coreID, firesOn: events, firesOnce: options.contains(.firesOnce))
        case let zone as CKRecordZoneSubscription:
            try zone.zoneID.checkName()
            return .zone(zone.zoneID.coreID, recordType: zone.recordType)
        case let database as CKDatabaseSubscription: return .database(recordType: database.recordType)
        default: throw CKError(.invalidArguments, reason: "a subscription is a query, zone or database subscription")
        }
    }

    /// The service's subscription as an app sees it in a database of `scope`.
    static func make(_ subscription: Subscription, scope: DatabaseScope) -> CKSubscription {
        let info = subscription.notificationInfo.map { CKNotificationInfo($0) }
        switch subscription.kind {
        case .query(let query, let zone, let events, let firesOnce):
            var options: CKQuerySubscription.Options = firesOnce ? .firesOnce : []
            if events.contains(.create) { options.insert(.firesOnRecordCreation) }
            if events.contains(.update) { options.insert(.firesOnRecordUpdate) }
            if events.contains(.delete) { options.insert(.firesOnRecordDeletion) }
            let zoneID = zone.map { CKRecordZone.ID($0, scope: scope) }
            return CKQuerySubscription(
                subscriptionID: subscription.id,
                predicate: NSPredicate(parsed: ParsedPredicate(query.filters, scope: scope)), options: options,
                changeable: Changeable(notificationInfo: info, recordType: query.recordType, zoneID: zoneID))
        case .zone(let zone, let recordType):
            let zoneID = CKRecordZone.ID(zone, scope: scope)
            return CKRecordZoneSubscription(
                zoneID: zoneID, subscriptionID: subscription.id,
                changeable: Changeable(notificationInfo: info, recordType: recordType, zoneID: zoneID))
        case .database(let recordType):
            return CKDatabaseSubscription(
                subscriptionID: subscription.id,
                changeable: Changeable(notificationInfo: info, recordType: recordType))
        }
    }
}

extension ParsedPredicate {
    /// The predicate that compiles to `filters` again.
    init(_ filters: [QueryFilter], scope: DatabaseScope) {
        var nodes: [PredicateNode] = []
        for filter in filters {
            guard let node = PredicateNode(filter, scope: scope) else {
                let name = filter.comparator.rawValue
                self = .failure(PredicateFailure(reason: "the comparator \(name) has no predicate"))
                return
            }
            nodes.append(node)
        }
        self = .tree(nodes.isEmpty ? .value(true) : nodes.count == 1 ? nodes[0] : .and(nodes))
    }
}

extension PredicateNode {
    fileprivate init?(_ filter: QueryFilter, scope: DatabaseScope) {
        let key = PredicateExpression.key(filter.field.predicateKey)
        let stored = StoredValue(filter.value, zone: .default, scope: scope)
        let right: PredicateExpression
        if case .list(let values) = stored {
            right = .list(values.map { .constant($0) })
        } else {
            right = .constant(stored)
        }
        if filter.field == .system(.recordName), filter.comparator == .in, right == .list([]) {
            self = .value(false)
            return
        }
        func comparison(_ comparator: String, any: Bool = false) -> PredicateNode {
            .comparison(
                PredicateComparison(quantifier: any ? "ANY" : nil, left: key, comparator: comparator, right: right))
        }
        switch filter.comparator {
        case .equals: self = comparison("=")
        case .notEquals: self = comparison("!=")
        case .lessThan: self = comparison("<")
        case .lessThanOrEquals: self = comparison("<=")
        case .greaterThan: self = comparison(">")
        case .greaterThanOrEquals: self = comparison(">=")
        case .in: self = comparison("IN")
        case .notIn: self = .not(comparison("IN"))
        case .beginsWith: self = comparison("BEGINSWITH")
        case .notBeginsWith: self = .not(comparison("BEGINSWITH"))
        case .listContains: self = comparison("CONTAINS")
        case .notListContains: self = .not(comparison("CONTAINS"))
        case .listContainsAny: self = comparison("IN", any: true)
        case .notListContainsAny: self = .not(comparison("IN", any: true))
        case .listMemberBeginsWith: self = comparison("BEGINSWITH", any: true)
        case .notListMemberBeginsWith: self = .not(comparison("BEGINSWITH", any: true))
        case .containsAllTokens: self = comparison("TOKENMATCHES")
        case .containsAnyTokens where filter.field == .text:
            self = .comparison(PredicateComparison(left: .whole, comparator: "CONTAINS", right: right))
        case .containsAnyTokens:
            let words = PredicateExpression.function("tokenize:using:", [right, .constant(.string("cdl"))])
            self = .comparison(PredicateComparison(quantifier: "ANY", left: words, comparator: "IN", right: key))
        case .near:
            let distance = PredicateExpression.function("distanceToLocation:fromLocation:", [key, right])
            let radius = NSNumber(value: filter.distance ?? 0)
            self = .comparison(
                PredicateComparison(left: distance, comparator: "<", right: .constant(.number(radius))))
        case .listContainsAll, .notListContainsAll: return nil
        }
    }
}

extension QueryField {
    /// The key that means this field in a predicate.
    var predicateKey: String {
        switch self {
        case .user(let name): name
        case .system(.recordName): CKRecord.SystemFieldKey.recordID
        case .system(.createdTimestamp): CKRecord.SystemFieldKey.creationDate
        case .system(.createdUserRecordName): CKRecord.SystemFieldKey.creatorUserRecordID
        case .system(.modifiedTimestamp): CKRecord.SystemFieldKey.modificationDate
        case .system(.modifiedUserRecordName): CKRecord.SystemFieldKey.lastModifiedUserRecordID
        case .system(.parent): CKRecord.SystemFieldKey.parent
        case .system(.share): CKRecord.SystemFieldKey.share
        case .text: QueryCompiler.allTokens
        }
    }
}
