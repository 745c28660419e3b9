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

/// A button that opens the file chooser.
@MainActor
package struct ChooserButton {
    package var types: [UTType]
    package var allowsMultiple: Bool
    package var action: @MainActor (BroughtFiles) -> Void

    package init(types: [UTType], allowsMultiple: Bool, action: @escaping @MainActor (BroughtFiles) -> Void) {
        self.types = types
        self.allowsMultiple = allowsMultiple
        self.action = action
    }

    package func element(
        _ id: ElementID, classes: [String] = [], isEnabled: Bool = true, children: [Element]
    ) -> Element {
        var attributes: [Element.Attribute] = [
            .init("type", "button"), .init("class", (["button"] + classes).joined(separator: " ")),
            .init("data-accept", types.acceptList),
        ]
        if allowsMultiple { attributes.append(.init("data-multiple", "")) }
        if !isEnabled { attributes.append(.init("disabled", "")) }
        let action = action
        return Element(
            id, "button", attributes, children: children,
            handlers: [(.files, { event in if let brought = event.files { action(brought) } })])
    }
}
