import CloudKit
import CookCloudCore
import CookCloudViews
import ExampleSupport
import SwiftUI
import SwiftUITesting
import Testing

/// The app on devices of one account, by what a person sees and does.
@MainActor
@Suite(.enabled(if: DevService.executable != nil))
struct `The recipe app` {
    @Test func `shows on one device what was written on another, and what was deleted no more`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let (phone, tablet) = try await world.phoneAndTablet()
        try await write("Soup", on: phone)
        try await tablet.expect(.link, "Soup")
        try await tablet.tap(.link, "Soup")
        try await tablet.expect(.text, "Salt")
        try await phone.tap(.button, "Delete, Soup")
        try await tablet.expect(.text, "This recipe is gone")
        try await tablet.back()
        try await tablet.expect(.text, "No recipes yet")
        phone.close()
        tablet.close()
    }

    @Test func `shows the community's recipes to everybody, and one's own to nobody else`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let alice = world.screen(try await world.device("phone"))
        let bob = world.screen(try await world.device("other", "bob@example.com"))
        try await alice.expect(.text, "No recipes yet")
        try await write("Secret", on: alice)
        try await alice.tap(.tab, "Community")
        try await write("Stew", on: alice)
        try await bob.tap(.tab, "Community")
        try await bob.expect(.link, "Stew")
        try await bob.tap(.tab, "My Recipes")
        #expect(bob.find(.link, "Secret") == nil)
        alice.close()
        bob.close()
    }

    @Test func `keeps up with other devices in the windows that are left when the first is closed`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let device = try await world.device("phone")
        let kitchen = world.kitchen(device)
        let following = device.withCurrent { (Task { await kitchen.follow() }, Task { await kitchen.follow() }) }
        following.0.cancel()
        await following.0.value
        let tablet = world.screen(try await world.device("tablet"))
        try await tablet.expect(.text, "No recipes yet")
        try await write("Soup", on: tablet)
        try await tablet.wait(for: "the recipe in the window that is left") {
            kitchen.recipes(on: .own).map(\.title) == ["Soup"] ? true : nil
        }
        following.1.cancel()
        await following.1.value
        tablet.close()
    }

    @Test func `keeps what could not be saved on the screen, and says why`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let device = try await world.device("phone")
        let phone = world.screen(device)
        try await phone.expect(.text, "No recipes yet")
        try await phone.tap(.button, "New")
        try await phone.type("Pie", into: "Title")
        device.isOffline = true
        try await phone.tap(.button, "Save")
        try await phone.expect(.text, containing: "cannot be reached")
        try await phone.tap(.button, "OK")
        #expect(phone.find(.textField, "Title")?.value == "Pie")
        device.isOffline = false
        try await phone.tap(.button, "Save")
        try await phone.expect(.link, "Pie")
        phone.close()
    }

    @Test func `is shared by its screen and edited by whom it is shared with`() async throws {
        let world = World(service: try DevService())
        defer { world.end() }
        let alice = world.screen(try await world.device("phone"))
        let device = try await world.device("other", "bob@example.com")
        let bob = world.screen(device)
        try await alice.expect(.text, "No recipes yet")
        try await write("Soup", on: alice)
        try await alice.tap(.link, "Soup")
        try await alice.tap(.button, "Share")
        try await alice.tap(.button, "Begin Sharing")
        let copy = try await alice.expect(.button, "Copy Link")
        let url = try #require(copy.copies.flatMap { URL(string: $0) })
        let container = device.withCurrent { CKContainer(identifier: Cookbook.containerIdentifier) }
        try await container.accept(try await container.shareMetadata(for: url))
        try await bob.tap(.tab, "Shared")
        // The device that accepts is not told of it by a push.
        try await bob.tap(.button, "Refresh")
        try await bob.tap(.link, "Soup")
        try await bob.tap(.button, "Edit")
        try await bob.type("Better soup", into: "Title")
        try await bob.tap(.button, "Save")
        try await alice.tap(.button, "Done")
        try await alice.expect(.heading, "Better soup")
        alice.close()
        bob.close()
    }
}
