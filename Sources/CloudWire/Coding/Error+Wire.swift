import CloudCore

/// What every error object has.
struct WireFailure {
    var error: CloudError
    var uuid: String

    /// `nil` when the object is no error.
    init?(_ json: JSONReader) throws(WireError) {
        guard let code = try json.optionalString("serverErrorCode") else { return nil }
        let reason = try json.optionalString("reason") ?? ""
        var error = CloudError(.internalError, reason)
        if let known = ServerErrorCode(rawValue: code) {
            error.code = known
        } else {
            error.reason = reason.isEmpty ? code : "\(code): \(reason)"
        }
        if let number = try json.member("ckErrorCode") { error.nativeCode = Int(try number.int64()) }
        error.retryAfter = try json.member("retryAfter")?.double()
        error.redirectURL = try json.optionalString("redirectURL")
        if let record = try json.member("serverRecord") { error.serverRecord = try Record(record) }
        self.error = error
        uuid = try json.optionalString("uuid") ?? ""
    }
}

extension JSONWriter {
    /// The members of an error object.
    mutating func failure(_ error: CloudError, uuid: String) {
        member("uuid", uuid)
        member("serverErrorCode", error.code.rawValue)
        member("reason", error.reason)
        if let seconds = error.retryAfter {
            key("retryAfter")
            if let whole = Int64(exactly: seconds) { integer(whole) } else { double(seconds) }
        }
        member("redirectURL", ifPresent: error.redirectURL)
        member("ckErrorCode", ifPresent: error.nativeCode)
        if let record = error.serverRecord {
            key("serverRecord")
            self.record(record)
        }
    }
}

extension ErrorBody: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        guard let failure = try WireFailure(json) else { throw json.missing("serverErrorCode") }
        self.init(failure.error, uuid: failure.uuid)
    }

    package func write(to json: inout JSONWriter) { json.failure(error, uuid: uuid) }
}
