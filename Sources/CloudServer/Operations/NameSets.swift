/// Makes sets of lists of names, each list once: a request's own list comes with every one of its items.
struct NameSets {
    private var last: (names: [String], set: Set<String>)?

    /// The names of a list; `nil` stands for all.
    mutating func set(of names: [String]?) -> Set<String>? {
        guard let names else { return nil }
        // Lists that are copies of one another are found equal without a look at their names.
        if let last, last.names == names { return last.set }
        let set = Set(names)
        last = (names, set)
        return set
    }
}
