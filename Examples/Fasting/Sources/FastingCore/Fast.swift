import CloudKit

/// A time without food, with a goal in hours.
public struct Fast: Sendable, Identifiable {
    public enum Goal: Int, Sendable, CaseIterable {
        case sixteen = 16
        case eighteen = 18
        case twenty = 20
    }

    public var id: String
    public var goal: Goal
    public var start: Date
    /// `nil` while it lasts.
    public var end: Date?

    public init(id: String = UUID().uuidString, goal: Goal, start: Date, end: Date? = nil) {
        self.id = id
        self.goal = goal
        self.start = start
        self.end = end
    }

    /// Hours from start to end, or to `now` while it lasts.
    public func hours(now: Date = Date()) -> Double { (end ?? now).timeIntervalSince(start) / 3600 }

    public func isReached(now: Date = Date()) -> Bool { hours(now: now) >= Double(goal.rawValue) }
}

extension Fast {
    static let recordType = "Fasting"

    /// `nil` for a record that is no fast, for example one that a later version of the app wrote.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType, let hours = record["goal"] as? Int,
            let goal = Goal(rawValue: hours),
            let start = record["startDate"] as? Date
        else { return nil }
        self.init(id: record.recordID.recordName, goal: goal, start: start, end: record["endDate"] as? Date)
    }

    func write(to record: CKRecord) {
        record["goal"] = goal.rawValue
        record["startDate"] = start
        record["endDate"] = end
    }
}
