package import CloudCore

/// What an answer says of an asset besides what is stored: where it can be fetched, by whom the answer is for.
package struct AssetPresenter: Sendable {
    let present: @Sendable (_ asset: Asset, _ record: RecordID, _ field: String) -> Asset

    package init(_ present: @escaping @Sendable (_ asset: Asset, _ record: RecordID, _ field: String) -> Asset) {
        self.present = present
    }
}

extension Asset {
    /// An asset's dictionary. With a receipt nothing else is needed; without one, checksum and size name the asset.
    init(_ json: JSONReader) throws(WireError) {
        self.init(fileChecksum: "", size: -1)
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "fileChecksum": fileChecksum = try value.nonEmpty()
            case "size":
                size = value.kind == .string ? Int64(try value.string()) ?? -1 : try value.int64()
                guard size >= 0 else { throw value.unexpected("a number of bytes") }
            case "receipt": receipt = try value.nonEmpty()
            case "downloadURL": downloadURL = try value.string()
            case "wrappingKey": wrappingKey = try value.string()
            case "referenceChecksum": referenceChecksum = try value.string()
            default: break
            }
        }
        guard receipt == nil else { return }
        if fileChecksum.isEmpty { throw json.missing("fileChecksum") }
        if size < 0 { throw json.missing("size") }
    }
}

extension JSONWriter {
    mutating func asset(_ asset: Asset, quoting: Bool = false) {
        object { $0.members(of: asset, quoting: quoting) }
    }

    mutating func members(of asset: Asset, quoting: Bool = false) {
        if !asset.fileChecksum.isEmpty { member("fileChecksum", asset.fileChecksum) }
        if asset.size >= 0 {
            key("size")
            integer(asset.size, quoted: quoting)
        }
        member("receipt", ifPresent: asset.receipt)
        member("wrappingKey", ifPresent: asset.wrappingKey)
        member("referenceChecksum", ifPresent: asset.referenceChecksum)
        member("downloadURL", ifPresent: asset.downloadURL)
    }

    /// The value as this document shows it to whom it is for.
    func presented(_ value: FieldValue, of record: RecordID, _ field: String) -> FieldValue {
        guard let presenter, !value.assets.isEmpty else { return value }
        return value.mapAssets { presenter.present($0, record, field) }
    }
}
