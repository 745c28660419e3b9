import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

func handle(_ error: any Error, _ record: CKRecord) {
    guard let error = error as? CKError else { return }
    switch error.code {
    case .serverRecordChanged:
        let server = error.serverRecord
        server?["title"] = record["title"] as? String
        print(server as Any, error.clientRecord as Any, error.ancestorRecord as Any)
    case .partialFailure:
        for (id, error) in error.partialErrorsByItemID ?? [:] { print(id, error) }
    case .requestRateLimited, .serviceUnavailable, .zoneBusy: print(error.retryAfterSeconds ?? 1)
    case .networkFailure, .networkUnavailable, .serverResponseLost: print("again")
    case .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted: print("sign in")
    case .zoneNotFound, .userDeletedZone, .unknownItem, .changeTokenExpired: print("start over")
    case .assetFileNotFound, .assetFileModified, .assetNotAvailable: print("no file")
    case .quotaExceeded, .limitExceeded, .tooManyParticipants: print("less")
    case .alreadyShared, .participantMayNeedVerification, .participantAlreadyInvited: print("sharing")
    case .badContainer, .badDatabase, .missingEntitlement, .incompatibleVersion, .internalError: print("bug")
    case .permissionFailure, .invalidArguments, .serverRejectedRequest, .constraintViolation, .referenceViolation:
        print("refused")
    case .operationCancelled, .batchRequestFailed, .resultsTruncated: break
    @unknown default: print(error.errorCode, error.localizedDescription)
    }
    print(error.userInfo[CKErrorRetryAfterKey] as Any, error.userInfo[CKPartialErrorsByItemIDKey] as Any)
    print(error.userInfo[CKErrorUserDidResetEncryptedDataKey] as Any, CKErrorDomain, CKError.errorDomain)
    print(
        CKRecordChangedErrorServerRecordKey, CKRecordChangedErrorClientRecordKey, CKRecordChangedErrorAncestorRecordKey)
}

func patterns(_ work: () async throws -> Void) async {
    do {
        try await work()
    } catch CKError.unknownItem {
        print("gone")
    } catch let error as CKError where error.code == .zoneNotFound {
        print(error)
    } catch {
        print((error as NSError).domain == CKErrorDomain)
    }
    let made = CKError(.internalError, userInfo: [NSLocalizedDescriptionKey: "x"])
    print(made == CKError(.internalError), made.code.rawValue, CKError.Code(rawValue: 11) as Any)
}
