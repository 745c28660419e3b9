import CloudKit
import CookCloudCore
import CookCloudViews
import ExampleSupport
import SwiftUI
import SwiftUITesting
import Testing

/// Pictures of recipes, by what a person sees and does.
@MainActor
@Suite(.enabled(if: DevService.executable != nil))
struct `The photo of a recipe` {
    private func picture(_ name: String, size: Int, in world: World) throws -> URL {
        let url = world.folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: world.folder, withIntermediateDirectories: true)
        try (Data([0x89, 0x50, 0x4E, 0x47]) + Data(repeating: 7, count: size)).write(to: url)
        return url
    }

    @Test func `is chosen on one device and shown on another, changed by a drop, and removed`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let (phone, tablet) = try await world.phoneAndTablet()
        try await phone.tap(.button, "New")
        try await phone.type("Soup", into: "Title")
        try await phone.bring([try picture("soup.png", size: 3_000_000, in: world)], to: "Choose a photo")
        try await phone.expect(.image, "Photo of Soup")
        try await phone.tap(.button, "Save")
        try await tablet.expect(.link, "Soup")
        try await tablet.tap(.link, "Soup")
        try await tablet.expect(.image, "Photo of Soup")
        try await tablet.tap(.button, "Edit")
        try await tablet.bring(
            [try picture("other.jpg", size: 10, in: world), try picture("no.txt", size: 1, in: world)],
            to: "Or drop one here")
        try await tablet.tap(.button, "Save")
        try await tablet.expectNo(.dialog)
        try await phone.tap(.link, "Soup")
        try await phone.expect(.image, "Photo of Soup")
        try await phone.tap(.button, "Edit")
        try await phone.tap(.button, "Remove photo")
        try await phone.expect(.button, "Choose a photo")
        try await phone.tap(.button, "Save")
        try await phone.expectNo(.dialog)
        try await tablet.expectNo(.image, "Photo of Soup")
        phone.close()
        tablet.close()
    }

    @Test func `is told to be on its way while it is sent`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let kitchen = world.kitchen(try await world.device("phone"))
        let photo = try picture("soup.png", size: 20_000_000, in: world)
        let parts = Parts(of: kitchen)
        #expect(await kitchen.save(Recipe(title: "Soup"), on: .own, photo: .set(photo)))
        #expect(kitchen.sentPart == nil)
        #expect(parts.seen.contains { $0 > 0 && $0 <= 1 }, "\(parts.seen)")
        #expect(parts.seen == parts.seen.sorted())
    }

    /// What the kitchen tells of the picture that it sends.
    @MainActor
    private final class Parts {
        private let kitchen: Kitchen
        private(set) var seen: [Double] = []

        init(of kitchen: Kitchen) {
            self.kitchen = kitchen
            look()
        }

        private func look() {
            withObservationTracking {
                if let part = kitchen.sentPart { seen.append(part) }
            } onChange: {
                Task { @MainActor in self.look() }
            }
        }
    }
}

/// What the app says when there is no cloud, no account, or no right.
@MainActor
@Suite(.enabled(if: DevService.executable != nil))
struct `A device in trouble` {
    @Test func `shows what it knew last while the cloud cannot be reached, and goes on by itself`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let device = try await world.device("phone")
        let before = world.screen(device)
        try await before.expect(.text, "No recipes yet")
        try await write("Soup", on: before)
        before.close()
        device.isOffline = true
        let after = world.screen(device)
        try await after.expect(.link, "Soup")
        try await after.expect(.text, containing: "cannot be reached")
        try await after.tap(.tab, "Community")
        try await after.expect(.text, "The recipes cannot be read")
        device.isOffline = false
        try await after.tap(.button, "Try again")
        try await after.expect(.text, "Nobody has cooked yet")
        try await after.tap(.tab, "My Recipes")
        try await after.expectNo(.text, containing: "cannot be reached")
        // It follows other devices again.
        let tablet = world.screen(try await world.device("tablet"))
        try await tablet.expect(.link, "Soup")
        try await write("Bread", on: tablet)
        try await after.expect(.link, "Bread")
        after.close()
        tablet.close()
    }

    @Test func `forgets an account's recipes when it signs out, and shows the next one's`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let device = try await world.device("phone")
        let phone = world.screen(device)
        try await phone.expect(.text, "No recipes yet")
        try await write("Soup", on: phone)
        try await device.signOut()
        try await phone.expect(.text, "Nobody is signed in")
        #expect(phone.find(.link, "Soup") == nil)
        try await device.signIn("bob@example.com", server: URL(string: world.service.address))
        try await phone.expect(.text, "No recipes yet")
        try await write("Bread", on: phone)
        try await device.signIn("alice@example.com", server: URL(string: world.service.address))
        try await phone.expect(.link, "Soup")
        #expect(phone.find(.link, "Bread") == nil)
        phone.close()
    }

    @Test func `says that nobody is signed in, and begins when somebody is`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let device = CloudDevice(folder: world.folder.appendingPathComponent("new"))
        let phone = world.screen(device)
        try await phone.expect(.text, "Nobody is signed in")
        try await device.signIn("alice@example.com", server: URL(string: world.service.address))
        try await phone.expect(.text, "No recipes yet")
        phone.close()
    }

    @Test func `says what a missing index means and what the person can do`() {
        func words(_ code: CKError.Code, _ text: String = "") -> String {
            let userInfo = [NSLocalizedDescriptionKey: text]
            return Kitchen.words(
                for: CKError(_nsError: NSError(domain: CKErrorDomain, code: code.rawValue, userInfo: userInfo)))
        }
        #expect(words(.invalidArguments, "Field 'title' is not marked queryable").contains("lacks an index"))
        #expect(words(.quotaExceeded).contains("Delete something"))
        #expect(words(.networkFailure).contains("cannot be reached"))
        #expect(words(.permissionFailure).contains("somebody else's"))
        #expect(words(.assetFileNotFound).contains("Choose it again"))
    }
}
