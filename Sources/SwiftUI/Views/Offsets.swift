// Collections whose elements are deleted or moved by their place, as rows are.

extension RangeReplaceableCollection where Self: MutableCollection {
    /// Removes the elements at these distances from the start.
    public mutating func remove(atOffsets offsets: IndexSet) {
        for offset in offsets.reversed() { remove(at: index(startIndex, offsetBy: offset)) }
    }
}

extension MutableCollection {
    /// Moves elements, in their order, to before the one that is at `destination` now; to the end for `count`.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let all = Array(self)
        let moved = source.map { all[$0] }
        let kept = all.indices.filter { !source.contains($0) }
        let order =
            kept.filter { $0 < destination }.map { all[$0] } + moved + kept.filter { $0 >= destination }.map { all[$0] }
        var index = startIndex
        for element in order {
            self[index] = element
            formIndex(after: &index)
        }
    }
}
