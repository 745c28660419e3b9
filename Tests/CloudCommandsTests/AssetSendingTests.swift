import Foundation
import Glibc
import Testing

@Suite struct AssetSendingTests {
    @Test func `a download goes from the disk to the network without passing through the service`() async throws {
        let folder = try TemporaryFolder()
        let service = try CommandProcess(["dev", "--port", "0", "--data", folder.path("data")], folder: folder)
        let camera = try await Camera(at: service.address(), container: "iCloud.org.example.album")
        let photo = [UInt8](repeating: 7, count: 8 << 20)
        #expect(await camera.save("large", photo) {})
        let before = try Self.reads(of: service.id)
        #expect(try await camera.photo(of: "large") == photo)
        // Each piece that is read has at most 4 KiB; sendfile takes 128.
        #expect(try Self.reads(of: service.id) - before < photo.count / 4096 / 4)
        service.send(SIGTERM)
        #expect(await service.end() == 0)
    }

    /// Calls that read, `sendfile` among them.
    private static func reads(of process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscr: ") })
        return try #require(Int(line.dropFirst(7)))
    }
}
