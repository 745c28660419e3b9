import CloudKit

/// A dish and how to make it.
public struct Recipe: Identifiable, Hashable, Sendable, Codable {
    /// The name of the recipe's record.
    public let id: String
    /// The user who shares the recipe; `nil` for one's own and the community's.
    public let owner: String?
    public var title: String
    public var minutes: Int
    public var ingredients: [String]
    public var notes: String
    /// The picture on this device, if the recipe has one.
    public internal(set) var photo: URL?

    public init(
        id: String = UUID().uuidString, title: String, minutes: Int = 30, ingredients: [String] = [], notes: String = ""
    ) {
        self.id = id
        owner = nil
        self.title = title
        self.minutes = minutes
        self.ingredients = ingredients
        self.notes = notes
    }
}

extension Recipe {
    static let recordType = "Recipe"

    enum Key {
        static let title = "title", minutes = "minutes", ingredients = "ingredients", notes = "notes", photo = "photo"
    }

    /// The recipe in a record; `nil` when the record is of another type or has no title.
    init?(_ record: CKRecord) {
        guard record.recordType == Self.recordType, let title = record[Key.title] as? String else { return nil }
        id = record.recordID.recordName
        let owner = record.recordID.zoneID.ownerName
        self.owner = owner == CKCurrentUserDefaultName ? nil : owner
        self.title = title
        minutes = record[Key.minutes] as? Int ?? 0
        ingredients = record[Key.ingredients] as? [String] ?? []
        notes = record[Key.notes] as? String ?? ""
        photo = (record[Key.photo] as? CKAsset)?.fileURL
    }

    /// Sets the record's fields that differ, so that a save sends only those.
    func fill(_ record: CKRecord) {
        let old = Recipe(record)
        if old?.title != title { record[Key.title] = title }
        if old?.minutes != minutes { record[Key.minutes] = minutes }
        if old?.ingredients != ingredients { record[Key.ingredients] = ingredients.isEmpty ? nil : ingredients }
        if old?.notes != notes { record[Key.notes] = notes.isEmpty ? nil : notes }
    }
}
