import CloudClient
import CloudKit
import CloudTestSupport
import SwiftUI
import SwiftUITesting
import Testing

/// The screen of `UICloudSharingController`, over a service in this process.
@MainActor
@Suite struct `The sharing screen` {
    final class Delegate: NSObject, UICloudSharingControllerDelegate {
        var saved = 0
        var stopped = 0
        var failures: [any Error] = []
        func itemTitle(for csc: UICloudSharingController) -> String? { "Soup" }
        func cloudSharingController(_ csc: UICloudSharingController, failedToSaveShareWithError error: any Error) {
            failures.append(error)
        }
        func cloudSharingControllerDidSaveShare(_ csc: UICloudSharingController) { saved += 1 }
        func cloudSharingControllerDidStopSharing(_ csc: UICloudSharingController) { stopped += 1 }
    }

    struct SharePage: UIViewControllerRepresentable {
        let delegate: Delegate
        let options: UICloudSharingController.PermissionOptions
        let make: () -> UICloudSharingController

        func makeUIViewController(context: Context) -> UICloudSharingController {
            let controller = make()
            controller.availablePermissions = options
            controller.delegate = delegate
            return controller
        }

        func updateUIViewController(_ controller: UICloudSharingController, context: Context) {}
    }

    struct Host: View {
        @State private var isOpen = false
        let page: SharePage

        var body: some View {
            Button("Open") { isOpen = true }.sheet(isPresented: $isOpen) { page }
        }
    }

    private nonisolated func withService(_ body: @MainActor @Sendable (TestCloud) async throws -> Void) async throws {
        try await CloudSetUp(way: .inProcess, storage: .memory).withCloud { try await body($0) }
    }

    /// A service with a record of Alice's, and her sharing screen.
    private func withScreen(
        _ options: UICloudSharingController.PermissionOptions = [],
        forEverybody permission: CKShare.ParticipantPermission = .none,
        _ body: @escaping @MainActor @Sendable (Screen, Delegate, CKContainer, TestCloud) async throws -> Void
    ) async throws {
        try await withService { cloud in
            let device = CloudDevice(
                transport: cloud.transport, store: DeviceStore(inMemory: DeviceSettings(server: cloud.url)),
                environment: { _ in nil })
            try await device.signIn("alice@example.com")
            let container = device.withCurrent { CKContainer(identifier: TestCloud.container) }
            let zone = CKRecordZone(zoneName: "Food")
            _ = try await container.privateCloudDatabase.save(zone)
            let root = CKRecord(recordType: "Dish", recordID: CKRecord.ID(recordName: "soup", zoneID: zone.zoneID))
            _ = try await container.privateCloudDatabase.save(root)
            let delegate = Delegate()
            let page = SharePage(delegate: delegate, options: options) {
                UICloudSharingController { _, completion in
                    Task {
                        do {
                            let share = CKShare(rootRecord: root)
                            share.publicPermission = permission
                            _ = try await container.privateCloudDatabase.modifyRecords(
                                saving: [root, share], deleting: [])
                            completion(share, container, nil)
                        } catch {
                            completion(nil, nil, error)
                        }
                    }
                }
            }
            let screen = Screen(on: device) { Host(page: page) }
            try await screen.tap(.button, "Open")
            try await body(screen, delegate, container, cloud)
            screen.close()
        }
    }

    @Test func `begins to share, invites, changes rights, and stops`() async throws {
        try await withScreen { screen, delegate, container, _ in
            try await screen.expect(.heading, "Soup")
            try await screen.tap(.button, "Begin Sharing")
            try await screen.expect(.text, containing: "Owner")
            #expect(delegate.saved == 1)
            try await screen.type("bob@example.com", into: "E-mail or phone number")
            try await screen.tap(.button, "Invite")
            try await screen.expect(.text, "bob@example.com")
            #expect(screen.find(.text, "Invited, can view") != nil)
            try await screen.tap(.switch, "Can edit")
            try await screen.expect(.text, "Invited, can edit")
            let root = try await container.privateCloudDatabase.record(
                for: CKRecord.ID(recordName: "soup", zoneID: CKRecordZone(zoneName: "Food").zoneID))
            let id = try #require(root.share?.recordID)
            let stored = try await container.privateCloudDatabase.record(for: id) as? CKShare
            #expect(stored?.participants.map(\.permission) == [.readWrite, .readWrite])
            try await screen.tap(.button, "Delete, bob@example.com")
            try await screen.expectNo(.text, "bob@example.com")
            try await screen.tap(.button, "Stop Sharing")
            try await screen.expect(.dialog, "Stop sharing?")
            try await screen.tap(.button, "Stop Sharing")
            try await screen.expect(.button, "Open")
            #expect(delegate.stopped == 1 && delegate.failures.isEmpty)
            await #expect(throws: CKError.self) { _ = try await container.privateCloudDatabase.record(for: id) }
        }
    }

    @Test func `offers what the app allows, and nothing else`() async throws {
        try await withScreen([.allowReadOnly, .allowPrivate]) { screen, _, _, _ in
            try await screen.tap(.button, "Begin Sharing")
            try await screen.expect(.textField, "E-mail or phone number")
            #expect(screen.find(.switch, "Can edit") == nil && screen.find(.comboBox, "Access") == nil)
        }
        try await withScreen([.allowPublic, .allowReadWrite]) { screen, _, _, _ in
            try await screen.tap(.button, "Begin Sharing")
            try await screen.expect(.button, "Copy Link")
            #expect(screen.find(.textField, "E-mail or phone number") == nil)
        }
    }

    @Test(arguments: [[], .allowPrivate] as [UICloudSharingController.PermissionOptions])
    func `invites nobody while everybody is let in by the link`(
        options: UICloudSharingController.PermissionOptions
    ) async throws {
        try await withScreen(options, forEverybody: .readOnly) { screen, _, _, _ in
            try await screen.tap(.button, "Begin Sharing")
            try await screen.expect(.text, containing: "To invite people one by one")
            #expect(screen.find(.textField, "E-mail or phone number") == nil)
            try await screen.choose("Only who is invited", in: "Access")
            try await screen.type("bob@example.com", into: "E-mail or phone number")
            try await screen.tap(.button, "Invite")
            try await screen.expect(.text, "Invited, can view")
        }
    }

    @Test func `offers to remove those who can be removed`() async throws {
        try await withScreen { screen, _, _, _ in
            try await screen.tap(.button, "Begin Sharing")
            try await screen.type("bob@example.com", into: "E-mail or phone number")
            try await screen.tap(.button, "Invite")
            try await screen.expect(.button, "Delete, bob@example.com")
            #expect(screen.find(.button, containing: "Delete, Owner") == nil)
        }
    }

    @Test func `says what went wrong, and shows what is`() async throws {
        try await withScreen { screen, delegate, _, cloud in
            try await screen.tap(.button, "Begin Sharing")
            try await screen.expect(.button, "Copy Link")
            try await screen.type("no address", into: "E-mail or phone number")
            try await screen.tap(.button, "Invite")
            try await screen.expect(.button, "Dismiss")
            #expect(screen.find(.text, "no address") == nil)
        }
    }

    @Test func `tells observers of the container`() async throws {
        try await withScreen { screen, _, container, _ in
            let observer = CKSystemSharingUIObserver(container: container)
            let (saved, save) = AsyncStream.makeStream(of: CKRecord.ID.self)
            let (stopped, stop) = AsyncStream.makeStream(of: CKRecord.ID.self)
            observer.systemSharingUIDidSaveShareBlock = { id, result in
                if case .success = result { save.yield(id) }
            }
            observer.systemSharingUIDidStopSharingBlock = { id, result in
                if case .success = result { stop.yield(id) }
            }
            try await screen.tap(.button, "Begin Sharing")
            var ids = saved.makeAsyncIterator()
            let id = await ids.next()
            try await screen.tap(.button, "Stop Sharing")
            try await screen.tap(.button, "Stop Sharing")
            var ends = stopped.makeAsyncIterator()
            let ended = await ends.next()
            #expect(ended != nil && ended == id)
            withExtendedLifetime(observer) {}
        }
    }
}
