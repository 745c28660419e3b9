import CloudKit

/// What the sharing screen shows of a share, and what it does to it.
@MainActor
@Observable
final class SharingModel {
    /// Somebody who takes part, as the screen shows him.
    struct Person: Identifiable, Equatable {
        let id: String
        let name: String
        let detail: String
        let role: CKShare.ParticipantRole
        let isMe: Bool
        var canWrite: Bool
    }

    private(set) var title = ""
    private(set) var people: [Person] = []
    private(set) var url: URL?
    private(set) var isShared = false
    private(set) var isBusy = false
    private(set) var link = LinkAccess.nobody
    /// What went wrong last, in words.
    var problem: String?
    var isOwner: Bool { people.first { $0.isMe }?.role ?? .owner == .owner }
    var mayInvite: Bool { isOwner || people.first { $0.isMe }?.role == .administrator }

    /// What somebody may do who has the address and was not invited.
    enum LinkAccess: String, CaseIterable, Hashable {
        case nobody = "Only who is invited"
        case read = "Anyone can view"
        case write = "Anyone can edit"

        var permission: CKShare.ParticipantPermission {
            switch self {
            case .nobody: .none
            case .read: .readOnly
            case .write: .readWrite
            }
        }
    }

    private let controller: UICloudSharingController

    init(_ controller: UICloudSharingController) {
        self.controller = controller
        show()
    }

    // MARK: - What may be chosen

    private var options: UICloudSharingController.PermissionOptions {
        controller.availablePermissions.isEmpty
            ? [.allowPublic, .allowPrivate, .allowReadOnly, .allowReadWrite] : controller.availablePermissions
    }

    /// Without a word on reading and writing both are allowed; the same for who is let in.
    private var maySelect: (read: Bool, write: Bool) {
        let (read, write) = (options.contains(.allowReadOnly), options.contains(.allowReadWrite))
        return read || write ? (read, write) : (true, true)
    }

    var mayChooseRights: Bool { maySelect.read && maySelect.write }
    var mayInvitePeople: Bool { options.contains(.allowPrivate) || !options.contains(.allowPublic) }
    var links: [LinkAccess] {
        var links: [LinkAccess] = mayInvitePeople ? [.nobody] : []
        if options.contains(.allowPublic) {
            if maySelect.read { links.append(.read) }
            if maySelect.write { links.append(.write) }
        }
        // What the app has made of it can be left, but not chosen.
        return links.contains(link) ? links : links + [link]
    }

    // MARK: - What is there

    private func show() {
        guard let share = controller.share else {
            title = controller.delegate?.itemTitle(for: controller) ?? controller.title ?? "Share"
            return
        }
        title =
            share[CKShare.SystemFieldKey.title] as? String ?? controller.delegate?.itemTitle(for: controller) ?? "Share"
        url = share.url
        isShared = share.url != nil
        let me = share.currentUserParticipant ?? (share.url == nil ? share.owner : nil)
        people = share.participants.map { person in
            Person(
                id: person.participantID, name: Self.name(of: person), detail: Self.detail(of: person),
                role: person.role, isMe: person.participantID == me?.participantID,
                canWrite: person.role == .owner || person.permission == .readWrite)
        }
        link =
            switch share.publicPermission {
            case .readOnly: .read
            case .readWrite: .write
            default: .nobody
            }
    }

    private static func name(of person: CKShare.Participant) -> String {
        if let components = person.userIdentity.nameComponents {
            let name = [components.givenName, components.familyName].compactMap(\.self).joined(separator: " ")
            if !name.isEmpty { return name }
        }
        let lookup = person.userIdentity.lookupInfo
        return lookup?.emailAddress ?? lookup?.phoneNumber ?? (person.role == .owner ? "Owner" : "Somebody")
    }

    private static func detail(of person: CKShare.Participant) -> String {
        if person.role == .owner { return "Owner" }
        let state =
            switch person.acceptanceStatus {
            case .pending: "Invited"
            case .accepted: "Joined"
            case .removed: "Left"
            default: ""
            }
        let rights = person.permission == .readWrite ? "can edit" : "can view"
        let role = person.role == .administrator ? ", manages people" : ""
        return state.isEmpty ? rights + role : "\(state), \(rights)\(role)"
    }

    // MARK: - What is done

    /// Makes the share, where the app does that only now.
    func begin() async {
        guard controller.share == nil, let preparation = controller.preparation else { return await save() }
        isBusy = true
        defer { isBusy = false }
        let prepared = await withCheckedContinuation { continuation in
            preparation(controller) { share, container, error in
                continuation.resume(returning: Prepared(share: share, container: container, error: error))
            }
        }
        if let share = prepared.share, let container = prepared.container {
            controller.prepared(share, container)
            if share.url == nil { await save() } else { saved(share, container) }
        } else {
            fail(prepared.error ?? CKError(.internalError))
        }
    }

    private struct Prepared: Sendable {
        let share: CKShare?
        let container: CKContainer?
        let error: (any Error)?
    }

    func invite(_ address: String, canWrite: Bool) async {
        guard let container = controller.container else { return }
        await change { share in
            let participant =
                address.contains("@")
                ? try await container.shareParticipant(forEmailAddress: address)
                : try await container.shareParticipant(forPhoneNumber: address)
            participant.permission = canWrite && self.maySelect.write || !self.maySelect.read ? .readWrite : .readOnly
            share.addParticipant(participant)
        }
    }

    func setCanWrite(_ canWrite: Bool, for person: Person) async {
        await change { share in
            share.participants.first { $0.participantID == person.id }?.permission = canWrite ? .readWrite : .readOnly
        }
    }

    func remove(_ person: Person) async {
        await change { share in
            if let one = share.participants.first(where: { $0.participantID == person.id }) {
                share.removeParticipant(one)
            }
        }
    }

    func setLink(_ access: LinkAccess) async {
        await change { $0.publicPermission = access.permission }
    }

    /// Ends the sharing, or takes this person out of it.
    func stop() async {
        guard let share = controller.share, let container = controller.container else { return }
        isBusy = true
        defer { isBusy = false }
        let database = isOwner ? container.privateCloudDatabase : container.sharedCloudDatabase
        do {
            try await database.deleteRecord(withID: share.recordID)
            CKSystemSharingUIObserver.tell(didStop: .success(()), of: share.recordID, in: container)
            controller.delegate?.cloudSharingControllerDidStopSharing(controller)
            controller.dismiss(animated: true)
        } catch {
            CKSystemSharingUIObserver.tell(didStop: .failure(error), of: share.recordID, in: container)
            problem = error.localizedDescription
        }
    }

    /// Changes the share and saves it; on failure the share is read again, so that the screen shows what is.
    private func change(_ change: (CKShare) async throws -> Void) async {
        guard let share = controller.share, !isBusy else { return }
        isBusy = true
        do {
            try await change(share)
        } catch {
            isBusy = false
            problem = error.localizedDescription
            return
        }
        isBusy = false
        await save()
    }

    private func save() async {
        guard let share = controller.share, let container = controller.container else { return }
        isBusy = true
        defer { isBusy = false }
        do {
            let database = isOwner ? container.privateCloudDatabase : container.sharedCloudDatabase
            let result = try await database.modifyRecords(saving: [share], deleting: []).saveResults[share.recordID]
            let stored = try result?.get() as? CKShare ?? share
            saved(stored, container)
        } catch {
            fail(error)
            await readAgain(share, container)
        }
    }

    private func readAgain(_ share: CKShare, _ container: CKContainer) async {
        let database = isOwner ? container.privateCloudDatabase : container.sharedCloudDatabase
        // What went wrong is told already; where the share cannot be read either, the screen stays as it is.
        guard let stored = try? await database.record(for: share.recordID) as? CKShare else { return show() }
        controller.prepared(stored, container)
        show()
    }

    private func saved(_ share: CKShare, _ container: CKContainer) {
        controller.prepared(share, container)
        show()
        CKSystemSharingUIObserver.tell(didSave: .success(share), of: share.recordID, in: container)
        controller.delegate?.cloudSharingControllerDidSaveShare(controller)
    }

    private func fail(_ error: any Error) {
        problem = error.localizedDescription
        if let share = controller.share, let container = controller.container {
            CKSystemSharingUIObserver.tell(didSave: .failure(error), of: share.recordID, in: container)
        }
        controller.delegate?.cloudSharingController(controller, failedToSaveShareWithError: error)
    }
}
