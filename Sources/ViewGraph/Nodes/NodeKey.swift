/// What a child of a node is found again by, together with its type.
package enum NodeKey: Hashable {
    /// Its place among what its parent always has.
    case position(Int)
    /// The element of a collection that it stands for.
    indirect case element(AnyHashable)
}
