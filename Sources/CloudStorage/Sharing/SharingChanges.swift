import CloudCore

/// What one `records/modify` has done to shares so far.
struct SharingChanges {
    /// How the zone is shared now.
    var zone: ZoneSharing
    /// Tags that records had before sharing changed them in this request, which the client could not know.
    var earlierTags: [ExactName: String] = [:]
    /// Names of operations that were refused.
    var failed: Set<ExactName> = []
    var made: [StoredShare] = []
    var ended: [StoredShare] = []
    /// Users whose part in a share began, changed or ended.
    var concerned: Set<String> = []

    init(zone: ZoneSharing) { self.zone = zone }
}

/// A share record that passed all checks, on its way to be written.
struct PlannedShare {
    /// Its row is known once its record was saved.
    var share: StoredShare
    /// `nil` for a new share.
    let old: StoredShare?
    /// The root of a new share of a tree.
    let root: Record?
    /// The short GUID that is to be kept, if it is new.
    let newGUID: String?
}
