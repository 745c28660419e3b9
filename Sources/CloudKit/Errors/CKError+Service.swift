import CloudCore
import Foundation

extension CKError {
    /// A refusal that concerns no record.
    init(_ error: CloudError, scope: DatabaseScope) { self.init(error, Viewpoint(scope: scope)) }

    /// An error that says why.
    init(_ code: Code, reason: String, userInfo: [String: Any] = [:]) {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = reason
        self.init(code, userInfo: info)
    }

    /// The service's refusal in the app's terms.
    ///
    /// `client` is the record whose save was refused; it gives the client's and the ancestor record of a conflict.
    init(_ error: CloudError, _ viewpoint: Viewpoint, client: CKRecord? = nil) {
        let code = Code(error)
        var info: [String: Any] = [:]
        if let seconds = error.retryAfter { info[CKErrorRetryAfterKey] = NSNumber(value: seconds) }
        if code == .serverRecordChanged {
            if let client {
                info[CKRecordChangedErrorClientRecordKey] = client
                info[CKRecordChangedErrorAncestorRecordKey] = client.ancestor
            }
            if let record = error.serverRecord {
                info[CKRecordChangedErrorServerRecordKey] = CKRecord.received(record, viewpoint)
            }
        }
        self.init(code, reason: error.reason.isEmpty ? code.title : error.reason, userInfo: info)
    }
}

extension CKError.Code {
    /// By the native code where the service tells it, else by its own code.
    init(_ error: CloudError) {
        if let code = error.nativeCode.flatMap(Self.init(rawValue:)) {
            self = code
            return
        }
        switch error.code {
        case .accessDenied: self = .permissionFailure
        case .atomicError: self = .batchRequestFailed
        case .authenticationFailed, .authenticationRequired: self = .notAuthenticated
        case .badRequest: self = .invalidArguments
        case .conflict, .exists: self = .serverRecordChanged
        case .internalError: self = .internalError
        case .notFound: self = .unknownItem
        case .quotaExceeded: self = .quotaExceeded
        case .throttled: self = .requestRateLimited
        case .tryAgainLater: self = .serviceUnavailable
        case .validatingReferenceError: self = .referenceViolation
        case .zoneNotFound: self = .zoneNotFound
        }
    }
}
