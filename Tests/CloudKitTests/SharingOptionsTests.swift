import CloudKit
import Testing

@Suite struct `What a sharing screen may offer` {
    @Test func `is everything but invitations by participants and requests, unless the app says so`() {
        let options = CKAllowedSharingOptions.standard
        #expect(options.allowedParticipantPermissionOptions == .any && options.allowedParticipantAccessOptions == .any)
        #expect(!options.allowsParticipantsToInviteOthers && !options.allowsAccessRequests)
    }

    @Test func `comes back from a copy and from an archive as it was`() throws {
        let options = CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: .readOnly, allowedParticipantAccessOptions: .specifiedRecipientsOnly)
        options.allowsAccessRequests = true
        let data = try NSKeyedArchiver.archivedData(withRootObject: options, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKAllowedSharingOptions.self, from: data))
        let copy = try #require(options.copy() as? CKAllowedSharingOptions)
        options.allowsAccessRequests = false
        for other in [back, copy] {
            #expect(other.allowedParticipantPermissionOptions == .readOnly)
            #expect(other.allowedParticipantAccessOptions == .specifiedRecipientsOnly)
            #expect(other.allowsAccessRequests && !other.allowsParticipantsToInviteOthers)
        }
    }
}
