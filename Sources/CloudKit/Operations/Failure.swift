import CloudClient
import CloudCore
import Foundation
import HTTPCore

extension CKError {
    /// Whatever stopped a request, in the app's terms.
    init(failure: any Error, scope: DatabaseScope, isRead: Bool) {
        switch failure {
        case let error as CKError: self = error
        case let error as CloudError: self.init(error, scope: scope)
        case let error as HTTPTransportError: self.init(error, isRead: isRead)
        case let error as AssetFault: self.init(error)
        case is CancellationError: self = .cancelled
        default: self.init(.internalError, reason: "\(failure)")
        }
    }

    private init(_ error: HTTPTransportError, isRead: Bool) {
        switch error.code {
        case .unreachable, .timedOut: self.init(.networkFailure, reason: error.description)
        case .connectionLost: self.init(isRead ? .networkFailure : .serverResponseLost, reason: error.description)
        case .cancelled: self = .cancelled
        case .invalidURL: self.init(.badContainer, reason: error.description)
        }
    }

    private init(_ fault: AssetFault) {
        switch fault.problem {
        case .missing: self.init(.assetFileNotFound, reason: fault.description)
        case .modified: self.init(.assetFileModified, reason: fault.description)
        case .unreadable, .unwritable: self.init(.assetNotAvailable, reason: fault.description)
        }
    }

    static var cancelled: CKError { CKError(.operationCancelled, reason: "the operation was cancelled") }

    /// What the deprecated completion blocks get when the request worked and items failed.
    static func partialFailure<ID: Hashable>(_ errors: [ID: any Error]) -> CKError? {
        guard !errors.isEmpty else { return nil }
        let byID = Dictionary(uniqueKeysWithValues: errors.map { (AnyHashable($0.key), $0.value) })
        let noun = errors.count == 1 ? "item" : "items"
        return CKError(
            .partialFailure, reason: "\(errors.count) \(noun) failed", userInfo: [CKPartialErrorsByItemIDKey: byID])
    }
}

extension CKError {
    static func partialFailure<ID: Hashable, Value>(of results: [(ID, Result<Value, any Error>)]) -> CKError? {
        partialFailure(
            Dictionary(results.compactMap { id, result in result.error.map { (id, $0) } }) { first, _ in first })
    }
}

extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}
