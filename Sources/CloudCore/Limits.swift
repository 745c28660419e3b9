/// The limits of the service. Every one is a setting (``settings``); the defaults are the protocol's.
package struct CloudLimits: Hashable, Sendable {
    // Of callers

    /// Requests a second of one caller over time, a user, a server-to-server key or an API token without one. 0: no limit.
    package var requestsPerSecond = 0
    /// Requests of one caller that may come at once, where there is a rate.
    package var requestBurst = 200
    /// How far the date of a signed request may be from the service's time, in seconds.
    package var signatureSeconds = 600

    // Of what is kept

    /// Bytes of the records in one private database, as they are stored, and of the assets that they hold.
    package var privateDatabaseBytes = 5 * 1_073_741_824
    /// Bytes of the records in one public database, as they are stored, and of the assets that they hold.
    package var publicDatabaseBytes = 1024 * 1_073_741_824
    /// Zones in one database, with the default zone.
    package var zonesPerDatabase = 10_000
    /// Subscriptions of one user in one database.
    package var subscriptionsPerUser = 1000
    /// Fields of one record type.
    package var fieldsPerType = 1000

    // Of requests and records

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
    /// Levels of records, the topmost included, that are shared or that move into, out of or within shared trees at once. A
    /// tree that grows record by record may become deeper.
    package var treeLevels = 1000
    /// Values in one `IN` list.
    package var valuesPerFilter = 250
    /// Rows that one page of a query examines before it ends early with a continuation marker.
    package var rowsPerQuery = 2000

    /// Zones that a query without a zone searches.
    package var zonesPerQuery = 1000

    /// Bytes of the records in one answer, as they are stored. A page ends with the record that reaches it; a lookup of
    /// more is refused.
    package var answerBytes = 16 * 1_048_576

    /// Bytes of one asset.
    package var assetBytes = 50 * 1_048_576
    /// Uploads, or assets to be referred to anew, in one request.
    package var assetsPerRequest = 200
    /// Seconds that the URL of an upload is good for.
    package var assetUploadSeconds = 15 * 60
    /// Assets of one user, uploaded or referred to anew, that wait to be saved in one database. Their bytes together may be
    /// as many as a private database may have.
    package var assetsWaiting = 10_000
    /// Seconds in which an uploaded asset must be saved in a record.
    package var assetReceiptSeconds = 24 * 3600
    /// Seconds that a file is kept after the last record let go of it, so that a copy of the folder that is made after a
    /// copy of the database has all its files.
    package var assetRetentionSeconds = 24 * 3600
    /// Seconds that the URL of a download is good for.
    package var assetDownloadSeconds = 24 * 3600

    package init() {}
}
