/// The limits of the service. Every one is a setting; the defaults are the protocol's.
package struct CloudLimits: Hashable, Sendable {
    /// Operations in one `records/modify`, saves and deletes together.
    package var operationsPerRequest = 400
    /// Records in one answer and record names in one lookup request (lookup accepts ``operationsPerRequest``).
    package var resultsPerPage = 200
    /// Bytes of a record's fields, names included.
    package var recordBytes = 1_048_576
    /// Bytes of a request's body.
    package var requestBytes = 16 * 1_048_576
    /// `DELETE_SELF` references to one record.
    package var owningReferences = 750
    /// People in one share besides its owner.
    package var participantsPerShare = 100
    /// Requests for access to one share that wait for an answer; more are not kept.
    package var accessRequestsPerShare = 100
    /// Values in one `IN` list.
    package var valuesPerFilter = 250
    /// Rows that one page of a query examines before it ends early with a continuation marker.
    package var rowsPerQuery = 2000

    /// Bytes of the records in one answer, as they are stored. A page ends with the record that reaches it; a lookup of
    /// more is refused.
    package var answerBytes = 16 * 1_048_576

    /// Bytes of one asset.
    package var assetBytes: Int64 = 50 * 1_048_576
    /// Uploads, or assets to be referred to anew, in one request.
    package var assetsPerRequest = 200
    /// Seconds that the URL of an upload is good for.
    package var assetUploadSeconds = 15 * 60
    /// Seconds in which an uploaded asset must be saved in a record.
    package var assetReceiptSeconds = 24 * 3600
    /// Seconds that a file is kept after the last record let go of it, so that a copy of the folder that is made after a
    /// copy of the database has all its files.
    package var assetRetentionSeconds = 24 * 3600
    /// Seconds that the URL of a download is good for.
    package var assetDownloadSeconds = 24 * 3600

    package init() {}
}
