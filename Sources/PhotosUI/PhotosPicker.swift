public import CoreTransferable
public import SwiftUI
public import UniformTypeIdentifiers
public import ViewGraph

/// What a picker of photos offers.
public struct PHPickerFilter: Equatable, Sendable {
    let types: [UTType]

    public static let images = PHPickerFilter(types: [.image])
    public static let videos = PHPickerFilter(types: [.movie])

    /// What one of several filters offers.
    public static func any(of subfilters: [PHPickerFilter]) -> PHPickerFilter {
        PHPickerFilter(types: subfilters.flatMap(\.types))
    }
}

/// A photo or film that a person picked. Its content is read when the app asks for it, and is there as long as the window.
///
/// Source: Apple's documentation of PhotosUI.
public struct PhotosPickerItem: Equatable, Hashable, Sendable {
    private let file: _TransferFile

    init(_ file: _TransferFile) { self.file = file }

    /// There is no photo library here that would know it again.
    public var itemIdentifier: String? { nil }
    public var supportedContentTypes: [UTType] { [file.type] }

    /// Makes a value of the content.
    /// - Returns: `nil` if the type takes no such content.
    /// - Throws: What the type's representation throws; `CocoaError` when the content is gone.
    public func loadTransferable<T: Transferable & Sendable>(type: T.Type) async throws -> T? {
        try await T.importer(of: file)?()
    }
}

/// A button that lets photos be picked. In a browser they come from the machine's files.
public struct PhotosPicker<Label: View>: PrimitiveView {
    private let filter: PHPickerFilter?
    private let limit: Int?
    private let pick: @MainActor ([PhotosPickerItem]) -> Void
    private let label: Label

    /// - Parameters:
    ///   - selection: Set to what was picked; as before if nothing was.
    ///   - filter: What is offered; photos and films without it.
    public init(
        selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil,
        @ViewBuilder label: () -> Label
    ) {
        self.filter = filter
        limit = 1
        pick = { selection.wrappedValue = $0.first }
        self.label = label()
    }

    /// - Parameter maxSelectionCount: At most so many; what is picked beyond is left out.
    public init(
        selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil, matching filter: PHPickerFilter? = nil,
        @ViewBuilder label: () -> Label
    ) {
        self.filter = filter
        limit = maxSelectionCount
        pick = { selection.wrappedValue = $0 }
        self.label = label()
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label)
            let values = node.values
            let (graph, pick) = (node.graph, view.pick)
            let chooser = ChooserButton(types: view.filter?.types ?? [.image, .movie], limit: view.limit ?? .max) {
                pick($0.map(PhotosPickerItem.init))
                graph.schedule()
            }
            node.composes { node in
                Output(
                    chooser.element(
                        ElementID(node.number), classes: [values.buttonStyle].compactMap(\.self),
                        isEnabled: values.isEnabled, children: node.childrenOutput.elements))
            }
        }
    }
}

extension PhotosPicker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil
    ) {
        self.init(selection: selection, matching: filter) { Text(titleKey) }
    }

    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<[PhotosPickerItem]>, maxSelectionCount: Int? = nil,
        matching filter: PHPickerFilter? = nil
    ) {
        self.init(selection: selection, maxSelectionCount: maxSelectionCount, matching: filter) { Text(titleKey) }
    }
}
