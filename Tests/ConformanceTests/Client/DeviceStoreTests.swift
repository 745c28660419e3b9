import CloudClient
import Foundation
import Testing

@Suite struct `A device's folder` {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)")

    @Test func `keeps its identity and is readable by its owner only`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let id = DeviceStore(folder: folder).settings.deviceID
        #expect(DeviceStore(folder: folder).settings.deviceID == id)
        let path = folder.appendingPathComponent("device.json").path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `tells one process of another's sign-in`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let here = DeviceStore(folder: folder)
        let there = DeviceStore(folder: folder)
        #expect(!here.settings.isSignedIn)
        try there.update { settings in
            settings.emailAddress = "alice@example.com"
            settings.deviceSession = "secret"
        }
        #expect(here.settings.emailAddress == "alice@example.com")
        #expect(here.settings.account == there.settings.account)
    }

    @Test func `a damaged file is named and left as it is, not replaced by a fresh device`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("device.json")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{\"deviceID\": ".utf8).write(to: file)
        let store = DeviceStore(folder: folder)
        #expect(!store.settings.isSignedIn)
        #expect(store.problem?.description.contains(file.path) == true)
        #expect(throws: DeviceStoreError.self) { try store.update { $0.emailAddress = "a@example.com" } }
        #expect(try String(contentsOf: file, encoding: .utf8) == "{\"deviceID\": ")
        try FileManager.default.removeItem(at: file)
        try store.update { $0.emailAddress = "a@example.com" }
        #expect(DeviceStore(folder: folder).settings.emailAddress == "a@example.com")
    }

    @Test func `keeps a push cursor per app`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = DeviceStore(folder: folder)
        try store.setPushCursor(PushCursor(token: "t", after: 4), of: "notes/1")
        #expect(DeviceStore(folder: folder).pushCursor(of: "notes/1") == PushCursor(token: "t", after: 4))
        #expect(store.pushCursor(of: "other") == nil)
    }

    @Test func `is named by CUMULET_DEVICE, else by the XDG folder`() {
        #expect(DeviceStore.defaultFolder(["CUMULET_DEVICE": "/d", "XDG_CONFIG_HOME": "/x"]).path == "/d")
        #expect(DeviceStore.defaultFolder(["XDG_CONFIG_HOME": "/x"]).path == "/x/cumulet")
    }
}
