import CloudKit
import ExampleSupport
import Foundation
import Testing

@testable import CookCloudCore

@Suite struct `What a device knows of the recipes` {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)")

    @Test func `outlives the app, and not its account`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var cache = RecipeCache(folder: folder)
        try cache.use(account: "_alice")
        let soup = Recipe(id: "s", title: "Soup")
        try cache.set(RecipeCache.Zone(token: Data([1]), recipes: ["s": soup]), of: "")
        var later = RecipeCache(folder: folder)
        try later.use(account: "_alice")
        #expect(later[""].recipes == ["s": soup] && later[""].token == Data([1]))
        try later.use(account: "_bob")
        #expect(later[""].recipes.isEmpty && later[""].token == nil)
        #expect(RecipeCache(folder: folder)[""].recipes.isEmpty)
    }

    @Test func `has a picture as long as the recipe has it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var cache = RecipeCache(folder: folder)
        let fetched = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("picture".utf8).write(to: fetched)
        var soup = Recipe(id: "s", title: "Soup")
        soup.photo = try cache.keep(fetched, of: soup)
        #expect(!FileManager.default.fileExists(atPath: fetched.path))
        try cache.set(RecipeCache.Zone(recipes: ["s": soup]), of: "")
        let photo = try #require(RecipeCache(folder: folder)[""].recipes["s"]?.photo)
        #expect(try Data(contentsOf: photo) == Data("picture".utf8))
        // Where the recipes cannot be written all stays as it was.
        let file = folder.appendingPathComponent("recipes.json")
        try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent("aside"))
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: (any Error).self) { try cache.set(RecipeCache.Zone(), of: "") }
        #expect(cache[""].recipes["s"]?.photo == photo && FileManager.default.fileExists(atPath: photo.path))
        try FileManager.default.removeItem(at: file)
        try cache.set(RecipeCache.Zone(), of: "")
        #expect(!FileManager.default.fileExists(atPath: photo.path))
    }
}

/// These talk to a `cumulet dev` of their own; they are skipped where it is not built.
@Suite(.enabled(if: DevService.executable != nil))
struct `Recipes in the cloud` {
    @Test func `come with their pictures, which lie where they lay at the next look`() throws {
        let service = try DevService()
        defer { service.stop() }
        for device in ["phone", "tablet"] { try service.signIn(device, "alice@example.com") }
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        let added = try service.run("cookcloud", ["add", "Soup", "--photo", picture.path], on: "phone")
        #expect(added == "added Soup, 30 min")
        _ = try service.run("cookcloud", ["add", "Bread", "--photo", picture.path, "--community"], on: "phone")
        #expect(try service.run("cookcloud", ["list"], on: "tablet") == "Soup, 30 min, with a picture")
        let first = try service.run("cookcloud", ["photo", "Soup"], on: "tablet")
        #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == Data(contentsOf: picture))
        // Nothing changed, so nothing is fetched: the same file.
        #expect(try service.run("cookcloud", ["photo", "Soup"], on: "tablet") == first)
        let bread = try service.run("cookcloud", ["photo", "Bread", "--community"], on: "tablet")
        #expect(try Data(contentsOf: URL(fileURLWithPath: bread)) == Data(contentsOf: picture))
        _ = try service.run("cookcloud", ["edit", "Soup", "--minutes", "20"], on: "phone")
        _ = try service.run("cookcloud", ["delete", "Bread", "--community"], on: "phone")
        #expect(try service.run("cookcloud", ["list"], on: "tablet") == "Soup, 20 min, with a picture")
        #expect(try service.run("cookcloud", ["list", "--community"], on: "tablet") == "no recipes")
    }

    @Test func `are edited by those they are shared with, until that ends`() throws {
        let service = try DevService()
        defer { service.stop() }
        try service.signIn("alice", "alice@example.com")
        try service.signIn("bob", "bob@example.com")
        _ = try service.run("cookcloud", ["add", "Soup"], on: "alice")
        _ = try service.run("cookcloud", ["add", "Secret"], on: "alice")
        let address = try service.run("cookcloud", ["share", "Soup"], on: "alice")
        #expect(address.hasPrefix("http"))
        #expect(try service.run("cookcloud", ["share", "Soup"], on: "alice") == address)
        #expect(try service.run("cookcloud", ["list", "--shared"], on: "bob") == "no recipes")
        _ = try service.run("cookcloud", ["accept", address], on: "bob")
        #expect(try service.run("cookcloud", ["list", "--shared"], on: "bob") == "Soup, 30 min")
        _ = try service.run("cookcloud", ["edit", "Soup", "--notes", "less salt", "--shared"], on: "bob")
        #expect(try service.run("cookcloud", ["list"], on: "alice") == "Secret, 30 min\nSoup, 30 min (less salt)")
        #expect(try service.run("cookcloud", ["list"], on: "bob") == "no recipes")
        _ = try service.run("cookcloud", ["unshare", "Soup"], on: "alice")
        #expect(try service.run("cookcloud", ["list", "--shared"], on: "bob") == "no recipes")
        #expect(try service.run("cookcloud", ["list"], on: "alice") == "Secret, 30 min\nSoup, 30 min (less salt)")
    }

    @Test func `are forgotten when the account is another one, and are there again when it comes back`() throws {
        let service = try DevService()
        defer { service.stop() }
        try service.signIn("phone", "alice@example.com")
        _ = try service.run("cookcloud", ["add", "Soup"], on: "phone")
        try service.signIn("phone", "bob@example.com")
        #expect(try service.run("cookcloud", ["list"], on: "phone") == "no recipes")
        _ = try service.run("cookcloud", ["add", "Bread"], on: "phone")
        try service.signIn("phone", "alice@example.com")
        #expect(try service.run("cookcloud", ["list"], on: "phone") == "Soup, 30 min")
    }
}
