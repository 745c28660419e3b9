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

    package init() {}
}
