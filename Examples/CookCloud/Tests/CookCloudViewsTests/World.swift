import CloudKit
import CookCloudViews
import ExampleSupport
import SwiftUI
import SwiftUITesting

@testable import CookCloudCore

/// A service and the folder of its devices.
@MainActor
struct World {
    let service: DevService
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookcloud-\(UUID().uuidString)")

    func device(_ name: String, _ account: String = "alice@example.com") async throws -> CloudDevice {
        let device = CloudDevice(folder: folder.appendingPathComponent(name))
        try await device.signIn(account, server: URL(string: service.address))
        return device
    }

    func kitchen(_ device: CloudDevice) -> Kitchen {
        let container = device.withCurrent { CKContainer(identifier: Cookbook.containerIdentifier) }
        let cache = RecipeCache(folder: folder.appendingPathComponent("cache-\(device.deviceID)"))
        return Kitchen(store: CookbookStore(cookbook: Cookbook(container: container, cache: cache)))
    }

    func screen(_ device: CloudDevice) -> Screen {
        let kitchen = kitchen(device)
        return Screen(on: device) { KitchenView().environment(kitchen) }
    }

    /// The screens of two of Alice's devices, which have no recipes yet.
    func phoneAndTablet() async throws -> (phone: Screen, tablet: Screen) {
        let both = (phone: screen(try await device("phone")), tablet: screen(try await device("tablet")))
        try await both.phone.expect(.text, "No recipes yet")
        try await both.tablet.expect(.text, "No recipes yet")
        return both
    }

    func end() {
        service.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// Writes a recipe down as a person does.
@MainActor
func write(_ title: String, on screen: Screen) async throws {
    try await screen.tap(.button, "New")
    try await screen.type(title, into: "Title")
    try await screen.type("Water\nSalt", into: "Ingredients")
    try await screen.tap(.button, "Save")
    try await screen.expect(.link, title)
}
