import CloudCrypto
import CloudStorage
import CloudTestSupport
import Testing

@Suite struct AssetUploadTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 1_000_000], [7, 100_000, 300_000])
    func `a file is in its place under the name of its content, whatever pieces it came in`(size: Int, pieces: Int)
        throws
    {
        let content = (0..<min(size, pieces * 20_000)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let folder = try AssetFolder.temporary()
        defer { folder.close() }
        let upload = try folder.makeUpload()
        for start in stride(from: 0, to: content.count, by: pieces) {
            try content[start..<min(start + pieces, content.count)].withUnsafeBytes { try upload.write($0) }
        }
        let file = try upload.finish()
        #expect(file.name.content == Crypto.sha256(content))
        #expect(file.fileChecksum == AssetClient.checksum(content))
        #expect(folder.size(of: file.name) == Int64(content.count))
    }
}
