/// The values that views below a node see, by key. A value; copies share their storage until one is changed.
///
/// Two stores with the same ``identity`` hold the same values, so what was made with one need not be made again for the other.
package struct EnvironmentStore {
    /// One change of what was there before: most views change one value or none, and there are many views.
    private final class Storage {
        let key: AnyHashable
        let value: Any?
        let earlier: Storage?
        /// How many changes lie before it that are not gathered.
        let steps: Int
        /// The changes up to this one, where there are many: all that is there. `earlier` is then no more asked.
        let all: [AnyHashable: Any]?

        init(_ key: AnyHashable, _ value: Any?, after earlier: Storage) {
            self.key = key
            self.value = value
            guard earlier.steps == EnvironmentStore.mostSteps else {
                self.earlier = earlier
                steps = earlier.steps + 1
                all = nil
                return
            }
            steps = 0
            var all = EnvironmentStore.gather(earlier)
            all[key] = value
            self.all = all
            self.earlier = nil
        }

        init() {
            key = 0
            value = nil
            earlier = nil
            steps = 0
            all = [:]
        }
    }

    /// How many changes are looked through one by one before they are gathered.
    private static let mostSteps = 8

    private var storage = Storage()

    package init() {}

    package var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    package subscript(_ key: AnyHashable) -> Any? {
        get {
            var storage = storage
            while true {
                if let all = storage.all { return all[key] }
                if storage.key == key { return storage.value }
                guard let earlier = storage.earlier else { return nil }
                storage = earlier
            }
        }
        set { storage = Storage(key, newValue, after: storage) }
    }

    private static func gather(_ storage: Storage) -> [AnyHashable: Any] {
        var changes: [(AnyHashable, Any?)] = []
        var next: Storage? = storage
        var all: [AnyHashable: Any] = [:]
        while let storage = next {
            if let base = storage.all {
                all = base
                break
            }
            changes.append((storage.key, storage.value))
            next = storage.earlier
        }
        for (key, value) in changes.reversed() { all[key] = value }
        return all
    }
}
