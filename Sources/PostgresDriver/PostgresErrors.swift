import CPostgres
import SQLCore

extension SQLError.Kind {
    /// The kind of a five-character SQLSTATE.
    init(sqlState: String, isCancelled: Bool) {
        switch sqlState {
        case "23505": self = .uniqueViolation
        case "40001", "40P01": self = .serialization
        case "57014": self = isCancelled ? .interrupted : .timeout
        case "55P03": self = .timeout  // a lock that others hold
        case "53300": self = .busy  // all connections are taken
        case "53100": self = .full
        case "58030", "25006": self = .ioError  // the file system, or a database that only reads
        case "XX001", "XX002": self = .corrupt
        case "22021": self = .unstorableText
        case "25P02", "25001", "25P01": self = .misuse
        // Shut down, crashed, starting up, or ended for idling.
        case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "40003": self = .connectionLost
        default: self = sqlState.hasPrefix("08") ? .connectionLost : .other
        }
    }
}

/// The error that a failed result holds. Its message leaves out the detail, which quotes rows.
struct PostgresFailure {
    let sqlState: String
    private let message: String

    init(_ result: OpaquePointer) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        sqlState = field(CPOSTGRES_SQLSTATE) ?? ""
        let primary = field(CPOSTGRES_MESSAGE) ?? firstLine(PQresultErrorMessage(result))
        message = sqlState.isEmpty ? primary : "\(primary) (PostgreSQL \(sqlState))"
    }

    func error(_ statement: String, isCancelled: Bool) -> SQLError {
        // A failure without a state is libpq's own: the server did not answer.
        let kind = sqlState.isEmpty ? .connectionLost : SQLError.Kind(sqlState: sqlState, isCancelled: isCancelled)
        return SQLError(kind, message, statement: statement)
    }
}

/// The first line of a message of libpq; the others are advice.
func firstLine(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "no reason given" }
    let line = String(cString: message).split(whereSeparator: \.isNewline).first
    return line.map(String.init) ?? "no reason given"
}
