import CloudCore
import CloudCrypto

/// What the URL of an upload or a download says: for what, for whom, until when. It carries its own authorisation and is
/// made without writing anything.
package struct AssetToken: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        /// To a field of a record of that type.
        case upload(recordType: String)
        /// Of that content, while the field holds it.
        case download(content: [UInt8])
    }

    package var purpose: Purpose
    package var place: AssetPlace
    /// Milliseconds since 1970.
    package var expires: Int64

    package init(_ purpose: Purpose, _ place: AssetPlace, expires: Int64) {
        self.purpose = purpose
        self.place = place
        self.expires = expires
    }

    private static let macLength = 32
    private static let (upload, download): (UInt8, UInt8) = (1, 2)

    /// The key of these tokens, so that no other text of ours that has a code can pass for one.
    static func key(from secret: [UInt8]) -> [UInt8] {
        Crypto.hmacSHA256(key: secret, Array("asset URLs".utf8))
    }

    /// Letters, digits, `-` and `_` only: nothing that a client might escape.
    package func encoded(key: [UInt8]) -> String {
        var writer = ByteWriter(capacity: 256)
        switch purpose {
        case .upload(let recordType):
            writer.byte(Self.upload)
            writer.text(recordType)
        case .download(let content):
            writer.byte(Self.download)
            writer.blob(content)
        }
        writer.integer(expires)
        writer.text(place.database.container.rawValue)
        writer.text(place.database.environment.rawValue)
        writer.text(place.zone.owner)
        writer.text(place.zone.name)
        writer.text(place.recordName)
        writer.text(place.fieldName)
        writer.optional(place.user)
        let text = Base64.encode(writer.bytes + Crypto.hmacSHA256(key: key, writer.bytes))
        return String(text.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Reads a token; `nil` for what this store did not make. Whether it has expired is not looked at.
    package init?(_ text: String, key: [UInt8]) {
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let bytes = Base64.decode(standard + padding), bytes.count > Self.macLength else { return nil }
        let body = Array(bytes.dropLast(Self.macLength))
        guard Crypto.equal(Array(bytes.suffix(Self.macLength)), Crypto.hmacSHA256(key: key, body)) else { return nil }
        do { try self.init(ByteReader(body)) } catch { return nil }
    }

    private init(_ reader: ByteReader) throws {
        var reader = reader
        switch try reader.byte() {
        case Self.upload: purpose = .upload(recordType: try reader.text())
        case Self.download: purpose = .download(content: try reader.blob())
        default: throw ByteReader.Malformed()
        }
        expires = try reader.integer()
        let container = ContainerID(try reader.text())
        guard let environment = CloudEnvironment(rawValue: try reader.text()) else { throw ByteReader.Malformed() }
        let owner = try reader.text()
        let zone = ZoneID(name: try reader.text(), owner: owner)
        place = AssetPlace(
            database: DatabaseID(container: container, environment: environment, scope: .private, owner: owner),
            zone: zone, recordName: try reader.text(), fieldName: try reader.text(), user: try reader.optional())
    }
}
