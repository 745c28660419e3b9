import CoreTransferable
public import UniformTypeIdentifiers
import ViewGraph

/// Asks for files while a value says so.
struct FileImporterModifier: PrimitiveModifier {
    let isPresented: Binding<Bool>
    let types: [UTType]
    let allowsMultiple: Bool
    let onCompletion: (Result<[URL], any Error>) -> Void

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        node.show(FileImporterHost(importer: modifier), at: 1)
    }
}

/// The question that the browser's own chooser stands over. A browser opens that only on a tap: it opens by itself where the question
/// follows one, and by a button elsewhere.
private struct FileImporterHost: PrimitiveView {
    let importer: FileImporterModifier

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let importer = view.importer
            let isPresented = node.track { importer.isPresented.wrappedValue }
            node.composes { node in
                var output = Output()
                if isPresented { output.values[DialogKey.self] = [dialog(importer, node.number)] }
                return output
            }
        }
    }

    private static func dialog(_ importer: FileImporterModifier, _ number: Int) -> Element {
        func id(_ part: ElementID.Part) -> ElementID { ElementID(number, part) }
        let close: @MainActor () -> Void = { importer.isPresented.wrappedValue = false }
        let title = importer.allowsMultiple ? "Choose files" : "Choose a file"
        let chooser = ChooserButton(types: importer.types, limit: importer.allowsMultiple ? .max : 1) { files in
            close()
            importer.onCompletion(.success(files.map(\.url)))
        }
        return Element(
            id(.panel), "dialog",
            [
                .init("class", "confirm"), .init("role", "alertdialog"),
                .init("aria-labelledby", id(.title).description), .init("data-chooser", ""),
            ],
            children: [
                Element(id(.title), "h2", [.init("class", "alert-title")], text: title),
                Element(
                    id(.bar), "div", [.init("class", "alert-buttons")],
                    children: [
                        chooser.element(
                            id(.action),
                            children: [
                                Element(id(.content), "span", text: importer.allowsMultiple ? "Files…" : "File…")
                            ]),
                        Element(
                            id(.back), "button",
                            [.init("type", "button"), .init("class", "button cancel"), .init("data-safe", "")],
                            text: "Cancel", handlers: [(.click, { _ in close() })]),
                    ]),
            ], handlers: [(.dismiss, { _ in close() })])
    }
}

extension View {
    /// Asks for files while `isPresented` is true.
    ///
    /// `onCompletion` is not called when nothing is chosen. The files are copies that go with the window: an app that is to keep one
    /// copies it.
    /// - Parameter allowedContentTypes: What may be chosen.
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType], allowsMultipleSelection: Bool,
        onCompletion: @escaping (_ result: Result<[URL], any Error>) -> Void
    ) -> some View {
        modifier(
            FileImporterModifier(
                isPresented: isPresented, types: allowedContentTypes, allowsMultiple: allowsMultipleSelection,
                onCompletion: onCompletion))
    }

    /// Asks for a file while `isPresented` is true.
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping (_ result: Result<URL, any Error>) -> Void
    ) -> some View {
        fileImporter(isPresented: isPresented, allowedContentTypes: allowedContentTypes, allowsMultipleSelection: false)
        { result in
            onCompletion(
                result.flatMap { urls in
                    urls.first.map(Result.success) ?? .failure(CocoaError(.fileNoSuchFile))
                })
        }
    }
}

extension URL {
    /// Apps that ask before they read a chosen file compile here; every file of an app may be read.
    /// - Returns: Whether the file can be read.
    public func startAccessingSecurityScopedResource() -> Bool {
        isFileURL && FileManager.default.isReadableFile(atPath: path)
    }

    /// The end of ``startAccessingSecurityScopedResource()``, which has nothing to give back here.
    public func stopAccessingSecurityScopedResource() {}
}
