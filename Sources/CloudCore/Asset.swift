/// A file in a field. The record holds what names it; the bytes lie elsewhere.
package struct Asset: Hashable, Sendable {
    /// Base64 of the byte 1 and the content's SHA-1: what the protocol calls a file's checksum.
    package var fileChecksum: String
    /// Bytes of the content.
    package var size: Int64
    /// SHA-256 of the content, by which the service keeps it; empty everywhere else.
    package var content: [UInt8]
    /// In a save: what proves that the caller uploaded the content. Never stored.
    package var receipt: String?
    /// In an answer: where the content is. Never stored.
    package var downloadURL: String?
    /// In an answer of a private database. Never stored.
    package var wrappingKey: String?
    package var referenceChecksum: String?

    package init(
        fileChecksum: String, size: Int64, content: [UInt8] = [], receipt: String? = nil, downloadURL: String? = nil,
        wrappingKey: String? = nil, referenceChecksum: String? = nil
    ) {
        self.fileChecksum = fileChecksum
        self.size = size
        self.content = content
        self.receipt = receipt
        self.downloadURL = downloadURL
        self.wrappingKey = wrappingKey
        self.referenceChecksum = referenceChecksum
    }
}

extension FieldValue {
    /// The assets of a field: one, those of a list, or none.
    package var assets: [Asset] {
        switch self {
        case .asset(let asset): [asset]
        case .list(.asset?, let elements): elements.flatMap(\.assets)
        default: []
        }
    }

    /// The value with each asset replaced by what `body` makes of it.
    package func mapAssets<E>(_ body: (Asset) throws(E) -> Asset) throws(E) -> FieldValue {
        switch self {
        case .asset(let asset): return .asset(try body(asset))
        case .list(.asset?, let elements):
            var mapped: [FieldValue] = []
            mapped.reserveCapacity(elements.count)
            for element in elements { mapped.append(try element.mapAssets(body)) }
            return .list(.asset, mapped)
        default: return self
        }
    }
}
