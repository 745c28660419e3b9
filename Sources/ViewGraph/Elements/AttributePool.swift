/// Lists of attributes that elements have, each once.
struct AttributePool {
    /// More are not kept: then the pool begins anew, and what was shared stays shared.
    private static let limit = 2000

    private var lists: Set<[Element.Attribute]> = []

    /// The equal list that came first.
    mutating func shared(_ list: [Element.Attribute]) -> [Element.Attribute] {
        if list.isEmpty { return [] }
        if lists.count == Self.limit { lists = [] }
        return lists.insert(list).memberAfterInsert
    }
}
