import CloudCore
import Testing

@Suite struct `Limits as settings` {
    @Test func `every limit is a setting`() {
        let members = Mirror(reflecting: CloudLimits()).children.compactMap(\.label)
        #expect(CloudLimits.settings.map(\.name).sorted() == members.sorted())
    }

    @Test func `a setting changes its own limit`() throws {
        for setting in CloudLimits.settings {
            var limits = CloudLimits()
            try limits.set("\(setting.name)=\(setting.least + 77)")
            #expect(limits[keyPath: setting.path] == setting.least + 77)
            let labels = zip(Mirror(reflecting: limits).children, Mirror(reflecting: CloudLimits()).children)
                .filter { ($0.0.value as? Int) != ($0.1.value as? Int) }.compactMap(\.0.label)
            #expect(labels == [setting.name])
        }
    }

    @Test(arguments: [("2K", 2048), ("3m", 3_145_728), ("1G", 1_073_741_824), ("1T", 1_099_511_627_776), ("17", 17)])
    func `a value may be in units of 1024`(text: String, value: Int) throws {
        var limits = CloudLimits()
        try limits.set("answerBytes=\(text)")
        #expect(limits.answerBytes == value)
    }

    @Test(arguments: [
        "", "recordBytes", "recordBytes=", "recordBytes=x", "recordBytes=0", "recordBytes=-1", "recordBytes=1.5",
        "recordBytes=K", "recordBytes=9000000000000T", "nothing=1", "RecordBytes=1",
    ]) func `what is no setting is refused by name`(text: String) {
        var limits = CloudLimits()
        let error = #expect(throws: CloudError.self) { try limits.set(text) }
        #expect(error?.code == .badRequest && error?.reason.contains("'") == true)
        #expect(limits == CloudLimits())
    }
}
