package import CloudCore

extension SharePermission {
    init(_ json: JSONReader) throws(WireError) {
        switch try json.text() {
        case "NONE": self = .none
        case "READ_ONLY": self = .readOnly
        case "READ_WRITE": self = .readWrite
        case "UNKNOWN": self = .unknown
        case let other: throw json.failure("Unexpected input: unknown permission '\(other.string)'")
        }
    }
}

extension ParticipantRole {
    init(_ json: JSONReader) throws(WireError) {
        switch try json.text() {
        case "OWNER": self = .owner
        case "ADMINISTRATOR": self = .administrator
        case "USER", "PRIVATE_USER": self = .privateUser
        case "PUBLIC_USER": self = .publicUser
        case "UNKNOWN": self = .unknown
        case let other: throw json.failure("Unexpected input: unknown participant type '\(other.string)'")
        }
    }
}

extension AcceptanceStatus {
    init(_ json: JSONReader) throws(WireError) {
        switch try json.text() {
        case "INVITED", "PENDING": self = .invited
        case "ACCEPTED": self = .accepted
        case "REMOVED": self = .removed
        case "UNKNOWN": self = .unknown
        case let other: throw json.failure("Unexpected input: unknown acceptanceStatus '\(other.string)'")
        }
    }
}

extension ShareParticipant {
    init(_ json: JSONReader) throws(WireError) {
        self.init(identity: UserIdentity(userRecordName: nil), role: .unknown, permission: .unknown, status: .unknown)
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "participantId": id = try value.string()
            case "type": role = try ParticipantRole(value)
            case "permission": permission = try SharePermission(value)
            case "acceptanceStatus": status = try AcceptanceStatus(value)
            case "userIdentity": identity = try UserIdentity(value)
            // The original OpenCloudKit names the user beside the identity.
            case "userRecordName": if identity.userRecordName == nil { identity.userRecordName = try value.string() }
            case "dateAdded": dateAdded = try value.milliseconds()
            case "isApprovedRequester": isApprovedRequester = try value.bool()
            case "isOneTimeURLParticipant": wantsInvitationToken = try value.bool()
            case "invitationToken": invitationToken = try value.string()
            default: break
            }
        }
    }

    func write(to json: inout JSONWriter) {
        if !id.isEmpty { json.member("participantId", id) }
        json.member("type", role.wireName)
        json.member("permission", permission.wireName)
        json.member("acceptanceStatus", status.wireName)
        json.member("userIdentity") { identity.write(to: &$0) }
        if let dateAdded { json.member("dateAdded", dateAdded) }
        if isApprovedRequester { json.member("isApprovedRequester", true) }
        if wantsInvitationToken { json.member("isOneTimeURLParticipant", true) }
        json.member("invitationToken", ifPresent: invitationToken)
    }

    static func list(_ json: JSONReader) throws(WireError) -> [ShareParticipant] {
        var list: [ShareParticipant] = []
        for element in try json.elements { list.append(try ShareParticipant(element)) }
        return list
    }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ participants: [ShareParticipant]) {
        member(name, array: participants) { json, participant in json.object { participant.write(to: &$0) } }
    }
}

extension Sharing {
    /// Takes a member of a share record.
    mutating func take(_ key: JSONText, _ value: JSONReader) throws(WireError) {
        switch key {
        case "forRecord": root = try value.required("recordName").string()
        case "publicPermission": publicPermission = try SharePermission(value)
        case "participants": participants = try ShareParticipant.list(value)
        case "currentUserParticipant": currentUser = try ShareParticipant(value)
        case "denyAccessRequests": allowsAccessRequests = !(try value.bool())
        case "requesters": requesters = try ShareParticipant.list(value)
        case "blocked": blocked = try ShareParticipant.list(value)
        default: break
        }
    }

    func write(to json: inout JSONWriter) {
        if let root { json.member("forRecord") { $0.member("recordName", root) } }
        json.member("publicPermission", publicPermission.wireName)
        json.member("participants", participants)
        if let owner = participants.first(where: { $0.role == .owner }) {
            json.member("owner") { owner.write(to: &$0) }
        }
        if let currentUser { json.member("currentUserParticipant") { currentUser.write(to: &$0) } }
        json.member("denyAccessRequests", !allowsAccessRequests)
        if !requesters.isEmpty { json.member("requesters", requesters) }
        if !blocked.isEmpty { json.member("blocked", blocked) }
    }
}

extension SharingDraft {
    /// Whether `key` is one of a share record.
    mutating func take(_ key: JSONText, _ value: JSONReader) throws(WireError) -> Bool {
        switch key {
        case "forRecord":
            if value.isNull { break }
            root = try value.required("recordName").nonEmpty()
            rootChangeTag = try value.optionalString("recordChangeTag")
        case "publicPermission": if !value.isNull { publicPermission = try SharePermission(value) }
        case "participants": if !value.isNull { participants = try ShareParticipant.list(value) }
        case "denyAccessRequests": if !value.isNull { allowsAccessRequests = !(try value.bool()) }
        case "denyRequesters": if !value.isNull { denied = try value.strings() }
        case "blockRequesters": if !value.isNull { blocked = try value.strings() }
        case "unblockIdentities": if !value.isNull { unblocked = try value.strings() }
        default: return false
        }
        return true
    }

    func write(to json: inout JSONWriter) {
        if let root {
            json.member("forRecord") {
                $0.member("recordName", root)
                $0.member("recordChangeTag", ifPresent: rootChangeTag)
            }
        }
        if let publicPermission { json.member("publicPermission", publicPermission.wireName) }
        if let participants { json.member("participants", participants) }
        if let allowsAccessRequests { json.member("denyAccessRequests", !allowsAccessRequests) }
        if !denied.isEmpty { json.member("denyRequesters", denied) }
        if !blocked.isEmpty { json.member("blockRequesters", blocked) }
        if !unblocked.isEmpty { json.member("unblockIdentities", unblocked) }
    }

    /// The draft with the caller where a participant is named by a placeholder.
    package func resolvingOwner(_ owner: String) -> SharingDraft {
        var copy = self
        copy.participants = participants?.map { participant in
            var participant = participant
            if let name = participant.identity.userRecordName, ZoneID.isPlaceholder(name) {
                participant.identity.userRecordName = owner
            }
            if case .userRecordName(let name)? = participant.identity.lookup, ZoneID.isPlaceholder(name) {
                participant.identity.lookup = .userRecordName(owner)
            }
            return participant
        }
        return copy
    }
}

extension Sharing {
    /// The one spelling of the type of share records, whatever a client's case.
    static func normalizedType(_ type: String) -> String {
        type.utf8.count == recordType.utf8.count && type.lowercased() == recordType ? recordType : type
    }
}
