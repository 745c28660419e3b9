import CloudClient
import CloudKit
import CloudTestSupport
import SwiftUI
import SwiftUITesting
import Testing

/// A link that is opened on a device, over a service in this process.
@MainActor
@Suite struct `A link opened on a device` {
    /// The delegate of an app's windows, which notes what it is told.
    final class Window: UIResponder, UIWindowSceneDelegate {
        static let shares = Notes()
        func windowScene(_ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata) {
            Self.shares.add(metadata, of: windowScene.session.persistentIdentifier)
        }
    }

    /// By window, since tests run beside each other.
    @MainActor final class Notes {
        private var titles: [String: [String?]] = [:]
        func add(_ metadata: CKShare.Metadata, of window: String) {
            titles[window, default: []].append(metadata.share[CKShare.SystemFieldKey.title] as? String)
        }
        subscript(_ window: String) -> [String?] { titles[window] ?? [] }
    }

    final class WithWindows: NSObject, UIApplicationDelegate {
        func application(
            _ application: UIApplication, configurationForConnecting session: UISceneSession,
            options: UIScene.ConnectionOptions
        ) -> UISceneConfiguration {
            let configuration = UISceneConfiguration(name: nil, sessionRole: session.role)
            configuration.delegateClass = Window.self
            return configuration
        }
    }

    final class WithoutWindows: NSObject, UIApplicationDelegate {
        var titles: [String?] = []
        func application(
            _ application: UIApplication, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata
        ) { titles.append(metadata.share[CKShare.SystemFieldKey.title] as? String) }
    }

    final class Deaf: NSObject, UIApplicationDelegate {}

    /// Bob's app, and the address of a dish that Alice shares with everybody.
    private nonisolated func withApp(
        _ body: @escaping @MainActor @Sendable (AppInstance, URL) async throws -> Void
    ) async throws {
        try await CloudSetUp(way: .inProcess, storage: .memory).withCloud { cloud in
            try await check(cloud, body)
        }
    }

    private func check(
        _ cloud: TestCloud, _ body: @MainActor @Sendable (AppInstance, URL) async throws -> Void
    ) async throws {
        let alice = try await device("alice@example.com", cloud)
        let database = alice.withCurrent { CKContainer(identifier: TestCloud.container) }.privateCloudDatabase
        let zone = CKRecordZone(zoneName: "Food")
        _ = try await database.save(zone)
        let root = CKRecord(recordType: "Dish", recordID: CKRecord.ID(recordName: "soup", zoneID: zone.zoneID))
        let share = CKShare(rootRecord: root)
        share.publicPermission = .readOnly
        share[CKShare.SystemFieldKey.title] = "Soup"
        _ = try await database.modifyRecords(saving: [root, share], deleting: [])
        let saved = try #require(try await database.record(for: share.recordID) as? CKShare)

        let bob = try await device("bob@example.com", cloud)
        // What an app does at its start.
        let container = bob.withCurrent { CKContainer(identifier: TestCloud.container) }
        let app = AppInstance(showing: { Text("Recipes") }, on: bob, clock: ViewClock { .now })
        try await body(app, try #require(saved.url))
        app.end()
        _ = container
    }

    private func device(_ account: String, _ cloud: TestCloud) async throws -> CloudDevice {
        let device = CloudDevice(
            transport: cloud.transport, store: DeviceStore(inMemory: DeviceSettings(server: cloud.url)),
            environment: { _ in nil })
        try await device.signIn(account)
        return device
    }

    private func refusal(_ link: String, _ app: AppInstance) async -> String? {
        do {
            try await app.open(link)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `hands a share to the delegate of the window`() async throws {
        try await withApp { app, url in
            app.application.delegate = WithWindows()
            let window = "window-\(UUID().uuidString)"
            _ = app.openWindow(window)
            #expect(await refusal(" \(url.absoluteString)\n", app) == nil)
            #expect(Window.shares[window] == ["Soup"])
        }
    }

    @Test func `hands a share to the app's delegate where windows have none`() async throws {
        try await withApp { app, url in
            let delegate = WithoutWindows()
            app.application.delegate = delegate
            _ = app.openWindow("w")
            #expect(await refusal(url.absoluteString, app) == nil)
            #expect(delegate.titles == ["Soup"])
        }
    }

    @Test func `is refused in words by an app that takes no invitations`() async throws {
        try await withApp { app, url in
            app.application.delegate = Deaf()
            _ = app.openWindow("w")
            #expect(await refusal(url.absoluteString, app)?.hasPrefix("the app takes no invitations") == true)
        }
    }

    @Test func `is refused in words while the app has no window`() async throws {
        try await withApp { app, url in
            app.application.delegate = WithWindows()
            #expect(await refusal(url.absoluteString, app)?.hasPrefix("the app has no window") == true)
        }
    }

    @Test func `is refused in words when it is no share's`() async throws {
        try await withApp { app, url in
            app.application.delegate = WithWindows()
            _ = app.openWindow("w")
            #expect(await refusal("soup", app) == "'soup' is not an address")
            #expect(await refusal("https://example.com/soup", app)?.contains("not the address of a share") == true)
            #expect(await refusal("\(url.absoluteString)0", app)?.hasPrefix("the share was not found") == true)
        }
    }
}
