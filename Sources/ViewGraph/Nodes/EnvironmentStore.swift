/// The values that views below a node see, by key. A value; copies share their storage until one is changed.
///
/// Two stores with the same ``identity`` hold the same values, so what was made with one need not be made again for the other.
package struct EnvironmentStore {
    private final class Storage {
        let values: [AnyHashable: Any]
        init(_ values: [AnyHashable: Any]) { self.values = values }
    }

    private var storage = Storage([:])

    package init() {}

    package var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    package subscript(_ key: AnyHashable) -> Any? {
        get { storage.values[key] }
        set {
            var values = storage.values
            values[key] = newValue
            storage = Storage(values)
        }
    }
}
