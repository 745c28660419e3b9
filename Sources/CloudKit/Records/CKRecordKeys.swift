extension CKRecord {
    /// The fields every record has, by the names that predicates and sort descriptors use.
    public enum SystemFieldKey {
        public static var recordID: CKRecord.FieldKey { "recordID" }
        public static var creationDate: CKRecord.FieldKey { "creationDate" }
        public static var creatorUserRecordID: CKRecord.FieldKey { "creatorUserRecordID" }
        public static var modificationDate: CKRecord.FieldKey { "modificationDate" }
        public static var lastModifiedUserRecordID: CKRecord.FieldKey { "lastModifiedUserRecordID" }
        public static let parent: CKRecord.FieldKey = "parent"
        public static let share: CKRecord.FieldKey = "share"
    }

    public enum SystemType {
        public static let userRecord: CKRecord.RecordType = "Users"
        public static let share: CKRecord.RecordType = "cloudkit.share"
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordParentKey: String = CKRecord.SystemFieldKey.parent
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordShareKey: String = CKRecord.SystemFieldKey.share
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordTypeUserRecord: String = CKRecord.SystemType.userRecord
