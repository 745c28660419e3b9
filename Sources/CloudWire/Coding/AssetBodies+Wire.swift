import CloudCore

extension AssetsUploadRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var tokens: [Token] = []
        for token in try json.list("tokens") {
            tokens.append(
                Token(
                    recordName: try token.optionalString("recordName"),
                    recordType: try token.required("recordType").string(),
                    fieldName: try token.required("fieldName").string()))
        }
        self.init(tokens: tokens, zone: try json.zone())
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", ifPresent: zone)
        json.member("tokens", array: tokens) { json, token in
            json.object {
                $0.member("recordName", ifPresent: token.recordName)
                $0.member("recordType", token.recordType)
                $0.member("fieldName", token.fieldName)
            }
        }
    }
}

extension AssetsUploadResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var tokens: [Token] = []
        for token in try json.list("tokens") {
            tokens.append(
                Token(
                    recordName: try token.required("recordName").string(),
                    fieldName: try token.required("fieldName").string(), url: try token.required("url").string()))
        }
        self.init(tokens: tokens)
    }

    package var sizeHint: Int { 64 + tokens.count * 512 }

    package func write(to json: inout JSONWriter) {
        json.member("tokens", array: tokens) { json, token in
            json.object {
                $0.member("recordName", token.recordName)
                $0.member("fieldName", token.fieldName)
                $0.member("url", token.url)
            }
        }
    }
}

extension AssetUploadAnswer: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(singleFile: try Asset(json.required("singleFile")))
    }

    package func write(to json: inout JSONWriter) {
        json.member("singleFile") { $0.members(of: singleFile) }
    }
}

extension AssetsRereferenceRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var assets: [Entry] = []
        for asset in try json.list("assets") {
            assets.append(
                Entry(
                    recordName: try asset.required("recordName").string(),
                    fieldName: try asset.required("fieldName").string()))
        }
        self.init(assets: assets, zone: try json.zone())
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", ifPresent: zone)
        json.member("assets", array: assets) { json, asset in
            json.object {
                $0.member("recordName", asset.recordName)
                $0.member("fieldName", asset.fieldName)
            }
        }
    }
}

extension AssetsRereferenceResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var items: [Item] = []
        for element in try json.list("assets") {
            if let failure = try WireFailure(element) {
                items.append(
                    .failure(
                        recordName: try element.optionalString("recordName") ?? "", failure.error, uuid: failure.uuid))
            } else {
                items.append(.asset(try Asset(element)))
            }
        }
        self.init(assets: items)
    }

    package func write(to json: inout JSONWriter) {
        json.member("assets", array: assets) { json, item in
            switch item {
            case .asset(let asset): json.asset(asset)
            case .failure(let name, let error, let uuid):
                json.object {
                    $0.member("recordName", name)
                    $0.failure(error, uuid: uuid)
                }
            }
        }
    }
}

extension JSONReader {
    /// The zone that the request names, if it does.
    fileprivate func zone() throws(WireError) -> WireZoneID? {
        guard let zone = try member("zoneID"), !zone.isNull else { return nil }
        return try WireZoneID(zone)
    }
}
