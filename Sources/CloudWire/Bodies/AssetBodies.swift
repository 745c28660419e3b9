package import CloudCore

/// `assets/upload`
package struct AssetsUploadRequest: Hashable, Sendable {
    package struct Token: Hashable, Sendable {
        /// `nil`: the server makes a name.
        package var recordName: String?
        package var recordType: String
        package var fieldName: String

        package init(recordName: String? = nil, recordType: String, fieldName: String) {
            self.recordName = recordName
            self.recordType = recordType
            self.fieldName = fieldName
        }
    }

    package var tokens: [Token]
    package var zone: WireZoneID?

    package init(tokens: [Token], zone: WireZoneID? = nil) {
        self.tokens = tokens
        self.zone = zone
    }
}

/// The answer of `assets/upload`: a token for each of the request, in order.
package struct AssetsUploadResponse: Hashable, Sendable {
    package struct Token: Hashable, Sendable {
        package var recordName: String
        package var fieldName: String
        /// Where to send the bytes.
        package var url: String

        package init(recordName: String, fieldName: String, url: String) {
            self.recordName = recordName
            self.fieldName = fieldName
            self.url = url
        }
    }

    package var tokens: [Token]

    package init(tokens: [Token]) { self.tokens = tokens }
}

/// The answer of the asset host to an upload.
package struct AssetUploadAnswer: Hashable, Sendable {
    /// Ready to be a field's value.
    package var singleFile: Asset

    package init(singleFile: Asset) { self.singleFile = singleFile }
}

/// `assets/rereference`
package struct AssetsRereferenceRequest: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var recordName: String
        package var fieldName: String

        package init(recordName: String, fieldName: String) {
            self.recordName = recordName
            self.fieldName = fieldName
        }
    }

    package var assets: [Entry]
    package var zone: WireZoneID?

    package init(assets: [Entry], zone: WireZoneID? = nil) {
        self.assets = assets
        self.zone = zone
    }
}

/// The answer of `assets/rereference`: an item for each of the request, in order.
package struct AssetsRereferenceResponse: Hashable, Sendable {
    package enum Item: Hashable, Sendable {
        /// With a receipt, ready to be a field's value.
        case asset(Asset)
        case failure(recordName: String, CloudError, uuid: String)
    }

    package var assets: [Item]

    package init(assets: [Item]) { self.assets = assets }
}
