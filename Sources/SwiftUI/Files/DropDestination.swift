public import CoreTransferable
import UniformTypeIdentifiers
import ViewGraph

/// Takes what is dropped on a view.
struct DropModifier<Item: Transferable>: ElementModifier {
    let action: ([Item], CGPoint) -> Bool
    let isTargeted: (Bool) -> Void

    func change(_ element: Element, of node: _Node) -> Element {
        guard node.values.isEnabled else { return element }
        let graph = node.graph
        return element.handling(.files) { event in
            guard let brought = event.files else { return }
            let importers = brought.files.compactMap { file in Item.importer(of: file).map { (file.url, $0) } }
            guard !importers.isEmpty else { return }
            graph.perform { @MainActor in
                var items: [Item] = []
                for (url, importer) in importers {
                    do { items.append(try await importer()) } catch {
                        // It is left out, as is one of another type: the action has no word for it.
                        let name = url.lastPathComponent
                        FileHandle.standardError.write(Data("'\(name)' was dropped and left out: \(error)\n".utf8))
                    }
                }
                if !items.isEmpty { _ = action(items, brought.point) }
            }
        }
        .handling(.over) { event in isTargeted(event.value == "1") }
    }
}

extension View {
    /// Lets files be dropped on the view.
    /// - Parameters:
    ///   - payloadType: What is made of them, as its representations say. Files that none of them takes are left out.
    ///   - action: Told of what was dropped, and where in the view.
    ///   - isTargeted: Told when something is held over the view, and when it is not any more.
    public func dropDestination<T: Transferable>(
        for payloadType: T.Type = T.self, action: @escaping (_ items: [T], _ location: CGPoint) -> Bool,
        isTargeted: @escaping (Bool) -> Void = { _ in }
    ) -> some View {
        modifier(DropModifier(action: action, isTargeted: isTargeted))
    }
}
