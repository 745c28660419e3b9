package import CoreTransferable
package import UniformTypeIdentifiers
package import ViewGraph

extension BroughtFiles {
    package var files: [_TransferFile] { paths.map { _TransferFile(URL(fileURLWithPath: $0)) } }
    var point: CGPoint { CGPoint(x: x, y: y) }
}

extension [UTType] {
    /// As the `accept` of a file chooser.
    package var acceptList: String {
        var words: [String] = []
        for word in flatMap(\.acceptWords) where !words.contains(word) { words.append(word) }
        return words.contains("*/*") ? "" : words.joined(separator: ",")
    }
}

/// A button that opens the file chooser. A chooser offers other types to who insists: those are left out, as is what is too many.
@MainActor
package struct ChooserButton {
    package var types: [UTType]
    /// How many files are taken at most.
    package var limit: Int
    /// Told of the files that were chosen, if there are any.
    package var action: @MainActor ([_TransferFile]) -> Void

    package init(types: [UTType], limit: Int, action: @escaping @MainActor ([_TransferFile]) -> Void) {
        self.types = types
        self.limit = limit
        self.action = action
    }

    package func element(
        _ id: ElementID, classes: [String] = [], isEnabled: Bool = true, children: [Element]
    ) -> Element {
        var attributes: [Element.Attribute] = [
            .init("type", "button"), .init("class", (["button"] + classes).joined(separator: " ")),
            .init("data-accept", types.acceptList),
        ]
        if limit > 1 { attributes.append(.init("data-multiple", "")) }
        if !isEnabled { attributes.append(.init("disabled", "")) }
        let (types, limit, action) = (types, limit, action)
        return Element(
            id, "button", attributes, children: children,
            handlers: [
                (
                    .files,
                    { event in
                        let files = event.files?.files ?? []
                        let taken = files.filter { file in types.contains { file.type.conforms(to: $0) } }.prefix(limit)
                        if !taken.isEmpty { action(Array(taken)) }
                    }
                )
            ])
    }
}
