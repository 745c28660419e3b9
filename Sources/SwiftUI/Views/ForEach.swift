public import ViewGraph

/// A view for each element of a collection, found again by the element's identity.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    fileprivate let id: (Data.Element) -> ID
}

extension ForEach where Content: View {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {
        self.init(data: data, content: content, id: { $0.id })
    }

    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        self.init(data: data, content: content, id: { $0[keyPath: id] })
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: View {
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, content: content, id: { $0 })
    }
}

extension ForEach where Content: View {
    /// A view for each element of a collection that the views may change.
    public init<C>(_ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content)
    where
        Data == LazyMapSequence<C.Indices, (C.Index, ID)>, ID == C.Element.ID,
        C: MutableCollection & RandomAccessCollection, C.Element: Identifiable, C.Index: Hashable
    {
        self.init(data, id: \.id, content: content)
    }

    public init<C>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    )
    where
        Data == LazyMapSequence<C.Indices, (C.Index, ID)>, C: MutableCollection & RandomAccessCollection,
        C.Index: Hashable
    {
        let now = data.wrappedValue
        self.init(
            data: now.indices.lazy.map { ($0, now[$0][keyPath: id]) },
            content: { index, _ in
                content(
                    Binding(
                        get: { data.wrappedValue[index] },
                        set: { data.wrappedValue[index] = $0 }))
            },
            id: { $0.1 })
    }
}

extension ForEach: View where Content: View {
    public var body: Never { fatalError("ForEach has no body") }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            // A long list shows its first part, and more of it when that has been scrolled through.
            let part = node.track { node.values.listPart?.limit } ?? .max
            var ids: [NodeKey] = []
            for element in view.data.prefix(part) {
                let key = NodeKey.element(view.id(element))
                ids.append(key)
                let child = node.child(key, of: Content.self)
                Content._visit(node.track { view.content(element) }, child)
            }
            let hasMore = view.data.count > part
            node.composes { node in
                var output = Output()
                for (index, child) in node.children.enumerated() {
                    var one = child.output
                    for item in one.items.indices { one.items[item].traits[ElementIndex.self] = index }
                    output.add(one)
                }
                if hasMore { output.values[HasMore.self] = true }
                return output
            }
        }
    }
}

/// Which element of the nearest `ForEach` an item comes from.
package enum ElementIndex: OutputKey {
    package static var initial: Int? { nil }
}

/// Whether a `ForEach` has more elements than it shows.
package enum HasMore: OutputKey {
    package static var initial: Bool { false }
    package static func reduce(_ value: inout Bool, _ next: Bool) { value = value || next }
}

/// Views for the elements of a collection, which a person may delete.
public protocol DynamicViewContent: View {
    associatedtype Data: Collection
    var data: Data { get }
}

extension ForEach: DynamicViewContent where Content: View {}
