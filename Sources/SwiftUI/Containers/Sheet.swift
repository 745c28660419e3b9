import ViewGraph

/// Shows a view over everything while a value says so.
struct SheetModifier<Item: Identifiable, Content: View>: PrimitiveModifier {
    let item: Binding<Item?>
    let onDismiss: (@MainActor () -> Void)?
    let sheet: (Item) -> Content

    static func apply(_ modifier: Self, to node: _Node, content: @escaping @MainActor (_Node) -> Void) {
        content(node)
        // Reading the binding is this node's matter alone: what is below the sheet is not visited when it opens.
        node.show(SheetHost(sheet: modifier), at: 1)
    }
}

private struct SheetHost<Item: Identifiable, Content: View>: PrimitiveView {
    let sheet: SheetModifier<Item, Content>

    @MainActor final class Last { var isShown = false }

    static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let sheet = view.sheet
            let last = node.cell(0) { Last() }
            let item = node.track { sheet.item.wrappedValue }
            if last.isShown, item == nil, let onDismiss = sheet.onDismiss { node.graph.afterUpdate(onDismiss) }
            last.isShown = item != nil
            guard let item else {
                node.composes { _ in Output() }
                return
            }
            let close: @MainActor () -> Void = { sheet.item.wrappedValue = nil }
            node.below = node.environment(changedBy: ObjectIdentifier(node)) { store in
                var values = EnvironmentValues(store).forPresentation
                values.dismiss = DismissAction(of: node) { close() }
                store = values.store
            }
            let child = node.child(.element(AnyHashable(item.id)), of: Content.self)
            Content._visit(node.track { sheet.sheet(item) }, child)
            node.composes { node in
                let inner = node.childrenOutput
                var output = Output()
                let title = inner.values[TitleKey.self]
                let dismiss: Element.Handler = (.dismiss, { _ in close() })
                var attributes: [Element.Attribute] = [
                    .init("class", ["sheet", inner.values[DetentsKey.self]].compactMap(\.self).joined(separator: " "))
                ]
                attributes.append(.init("aria-label", title ?? "Sheet"))
                output.values[DialogKey.self] =
                    [
                        Element(
                            ElementID(child.number, .panel), "dialog", attributes, children: inner.elements,
                            handlers: inner.values[UndismissableKey.self] ? [] : [dismiss])
                    ] + inner.values[DialogKey.self]
                return output
            }
        }
    }
}

/// Whether a sheet stays until the app closes it.
enum UndismissableKey: OutputKey { static var initial: Bool { false } }
/// How high a sheet is.
enum DetentsKey: OutputKey { static var initial: String? { nil } }

struct UndismissableModifier: OutputModifier, Equatable {
    let isDisabled: Bool
    func change(_ output: inout Output, of node: _Node) { output.values[UndismissableKey.self] = isDisabled }
}

struct DetentsModifier: OutputModifier, Equatable {
    let word: String
    func change(_ output: inout Output, of node: _Node) { output.values[DetentsKey.self] = word }
}

/// How high a sheet is.
public struct PresentationDetent: Hashable, Sendable {
    let word: String
    public static let medium = PresentationDetent(word: "medium")
    public static let large = PresentationDetent(word: "high")
}

/// What stands for "it is shown" where a sheet has no item.
struct Shown: Identifiable {
    let id = 0

    static func item(_ isPresented: Binding<Bool>) -> Binding<Shown?> {
        Binding(
            get: { isPresented.wrappedValue ? Shown() : nil }, set: { isPresented.wrappedValue = $0 != nil })
    }
}

extension View {
    /// Shows a sheet while `isPresented` is true. Who closes it by a gesture sets it to false.
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        modifier(SheetModifier(item: Shown.item(isPresented), onDismiss: onDismiss) { _ in content() })
    }

    /// Shows a sheet for an item while there is one.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        modifier(SheetModifier(item: item, onDismiss: onDismiss, sheet: content))
    }

    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        modifier(UndismissableModifier(isDisabled: isDisabled))
    }

    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        modifier(DetentsModifier(word: detents.contains(.large) || detents.isEmpty ? "high" : "medium"))
    }
}
