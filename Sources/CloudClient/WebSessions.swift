import CloudCore

/// A web token and whom it stands for.
struct WebSession: Hashable, Sendable {
    let key: WebSessions.Key
    var token: String
    let userRecordName: String
}

/// The web tokens of a device, one per container and environment; several callers that need one ask for it once.
actor WebSessions {
    struct Key: Hashable, Sendable {
        let address: CloudAddress
        let deviceSession: String
    }

    private var sessions: [Key: WebSession] = [:]
    private var starts: [Key: SharedWork<WebSession>] = [:]

    func session(
        _ key: Key, start: @escaping @Sendable () async throws -> WebSession
    ) async throws -> WebSession {
        while true {
            if let session = sessions[key] { return session }
            let work = starts[key] ?? SharedWork(start)
            starts[key] = work
            // Whoever comes first clears up; the others find a fresher one, or none.
            defer { if work.isOver, starts[key] === work { starts[key] = nil } }
            guard let session = try await work.value() else { continue }
            if starts[key] === work { sessions[key] = session }
            return session
        }
    }

    /// Takes a fresher token, unless another answer has already brought one.
    func rotate(_ key: Key, from old: String, to new: String) {
        if sessions[key]?.token == old { sessions[key]?.token = new }
    }

    /// Drops a token that the service no longer takes.
    func forget(_ key: Key, _ token: String) {
        if sessions[key]?.token == token { sessions[key] = nil }
    }
}
