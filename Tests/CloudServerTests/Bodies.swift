/// JSON that the tests send, and a look into what they get.
enum Bodies {
    static func note(_ name: String, title: String, zone: String? = nil, type: String = "create") -> String {
        """
        {\(zonePart(zone))"operations":[{"operationType":"\(type)","record":{"recordName":"\(name)",\
        "recordType":"Note","fields":{"title":{"value":"\(title)"}}}}]}
        """
    }

    static func delete(_ name: String, zone: String? = nil) -> String {
        """
        {\(zonePart(zone))"operations":[{"operationType":"forceDelete","record":{"recordName":"\(name)"}}]}
        """
    }

    static func query(title: String) -> String {
        """
        {"query":{"recordType":"Note","filterBy":[{"fieldName":"title","comparator":"EQUALS",\
        "fieldValue":{"value":"\(title)"}}]}}
        """
    }

    static func zone(_ type: String, _ name: String) -> String {
        #"{"operations":[{"operationType":"\#(type)","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#
    }

    static func subscription(_ id: String) -> String {
        """
        {"operations":[{"operationType":"create","subscription":{"subscriptionID":"\(id)",\
        "subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["create","update","delete"]}}]}
        """
    }

    /// The first string member of that name.
    static func string(_ name: String, in json: String) -> String? {
        let pieces = json.split(separator: "\"\(name)\":\"", maxSplits: 1)
        guard pieces.count == 2 else { return nil }
        return pieces[1].prefix { $0 != "\"" }.split(separator: "\\").joined()
    }

    private static func zonePart(_ zone: String?) -> String {
        zone.map { #""zoneID":{"zoneName":"\#($0)"},"# } ?? ""
    }
}
