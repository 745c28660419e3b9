extension CKError {
    /// The reasons a request or an item can fail for.
    public enum Code: Int, Sendable {
        case internalError = 1
        case partialFailure = 2
        case networkUnavailable = 3
        case networkFailure = 4
        case badContainer = 5
        case serviceUnavailable = 6
        case requestRateLimited = 7
        case missingEntitlement = 8
        case notAuthenticated = 9
        case permissionFailure = 10
        case unknownItem = 11
        case invalidArguments = 12
        case resultsTruncated = 13
        case serverRecordChanged = 14
        case serverRejectedRequest = 15
        case assetFileNotFound = 16
        case assetFileModified = 17
        case incompatibleVersion = 18
        case constraintViolation = 19
        case operationCancelled = 20
        case changeTokenExpired = 21
        case batchRequestFailed = 22
        case zoneBusy = 23
        case badDatabase = 24
        case quotaExceeded = 25
        case zoneNotFound = 26
        case limitExceeded = 27
        case userDeletedZone = 28
        case tooManyParticipants = 29
        case alreadyShared = 30
        case referenceViolation = 31
        case managedAccountRestricted = 32
        case participantMayNeedVerification = 33
        case serverResponseLost = 34
        case assetNotAvailable = 35
        case accountTemporarilyUnavailable = 36
        case participantAlreadyInvited = 37

        /// Lets a `catch` name a code: `catch CKError.unknownItem`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? CKError)?.code == code }

        /// The code in words.
        var title: String {
            switch self {
            case .internalError: "Internal Error"
            case .partialFailure: "Partial Failure"
            case .networkUnavailable: "Network Unavailable"
            case .networkFailure: "Network Failure"
            case .badContainer: "Bad Container"
            case .serviceUnavailable: "Service Unavailable"
            case .requestRateLimited: "Request Rate Limited"
            case .missingEntitlement: "Missing Entitlement"
            case .notAuthenticated: "Not Authenticated"
            case .permissionFailure: "Permission Failure"
            case .unknownItem: "Unknown Item"
            case .invalidArguments: "Invalid Arguments"
            case .resultsTruncated: "Results Truncated"
            case .serverRecordChanged: "Server Record Changed"
            case .serverRejectedRequest: "Server Rejected Request"
            case .assetFileNotFound: "Asset File Not Found"
            case .assetFileModified: "Asset File Modified"
            case .incompatibleVersion: "Incompatible Version"
            case .constraintViolation: "Constraint Violation"
            case .operationCancelled: "Operation Cancelled"
            case .changeTokenExpired: "Change Token Expired"
            case .batchRequestFailed: "Batch Request Failed"
            case .zoneBusy: "Zone Busy"
            case .badDatabase: "Bad Database"
            case .quotaExceeded: "Quota Exceeded"
            case .zoneNotFound: "Zone Not Found"
            case .limitExceeded: "Limit Exceeded"
            case .userDeletedZone: "User Deleted Zone"
            case .tooManyParticipants: "Too Many Participants"
            case .alreadyShared: "Already Shared"
            case .referenceViolation: "Reference Violation"
            case .managedAccountRestricted: "Managed Account Restricted"
            case .participantMayNeedVerification: "Participant May Need Verification"
            case .serverResponseLost: "Server Response Lost"
            case .assetNotAvailable: "Asset Not Available"
            case .accountTemporarilyUnavailable: "Account Temporarily Unavailable"
            case .participantAlreadyInvited: "Participant Already Invited"
            }
        }
    }

    public static var internalError: Code { .internalError }
    public static var partialFailure: Code { .partialFailure }
    public static var networkUnavailable: Code { .networkUnavailable }
    public static var networkFailure: Code { .networkFailure }
    public static var badContainer: Code { .badContainer }
    public static var serviceUnavailable: Code { .serviceUnavailable }
    public static var requestRateLimited: Code { .requestRateLimited }
    public static var missingEntitlement: Code { .missingEntitlement }
    public static var notAuthenticated: Code { .notAuthenticated }
    public static var permissionFailure: Code { .permissionFailure }
    public static var unknownItem: Code { .unknownItem }
    public static var invalidArguments: Code { .invalidArguments }
    public static var resultsTruncated: Code { .resultsTruncated }
    public static var serverRecordChanged: Code { .serverRecordChanged }
    public static var serverRejectedRequest: Code { .serverRejectedRequest }
    public static var assetFileNotFound: Code { .assetFileNotFound }
    public static var assetFileModified: Code { .assetFileModified }
    public static var incompatibleVersion: Code { .incompatibleVersion }
    public static var constraintViolation: Code { .constraintViolation }
    public static var operationCancelled: Code { .operationCancelled }
    public static var changeTokenExpired: Code { .changeTokenExpired }
    public static var batchRequestFailed: Code { .batchRequestFailed }
    public static var zoneBusy: Code { .zoneBusy }
    public static var badDatabase: Code { .badDatabase }
    public static var quotaExceeded: Code { .quotaExceeded }
    public static var zoneNotFound: Code { .zoneNotFound }
    public static var limitExceeded: Code { .limitExceeded }
    public static var userDeletedZone: Code { .userDeletedZone }
    public static var tooManyParticipants: Code { .tooManyParticipants }
    public static var alreadyShared: Code { .alreadyShared }
    public static var referenceViolation: Code { .referenceViolation }
    public static var managedAccountRestricted: Code { .managedAccountRestricted }
    public static var participantMayNeedVerification: Code { .participantMayNeedVerification }
    public static var serverResponseLost: Code { .serverResponseLost }
    public static var assetNotAvailable: Code { .assetNotAvailable }
    public static var accountTemporarilyUnavailable: Code { .accountTemporarilyUnavailable }
    public static var participantAlreadyInvited: Code { .participantAlreadyInvited }
}
