public import Foundation

extension NSSortDescriptor {
    /// Orders by the field `key`.
    public convenience init(key: String?, ascending: Bool) {
        self.init(keyPath: \SortProbe[key ?? ""], ascending: ascending)
    }
}

/// Tells the key that a sort descriptor's key path captured: reading the path leaves it in ``key``.
final class SortProbe {
    var key: String?

    subscript(key: String) -> String {
        self.key = key
        return key
    }
}

/// What a sort descriptor by name says; `nil` for one by another key path.
struct SortOrder: Codable, Hashable {
    var key: String
    var ascending: Bool

    init?(_ descriptor: NSSortDescriptor) {
        ascending = descriptor.ascending
        guard let path = descriptor.keyPath as? PartialKeyPath<SortProbe> else { return nil }
        let probe = SortProbe()
        _ = probe[keyPath: path]
        guard let name = probe.key else { return nil }
        key = name
    }
}
