public import ViewGraph

/// Rows in groups, one below the other.
public struct List<Content: View>: PrimitiveView {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in Rows("list").show(view.content, in: node) }
    }
}

extension List {
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        self.init { ForEach(data, content: rowContent) }
    }

    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        self.init { ForEach(data, id: id, content: rowContent) }
    }
}

/// Controls in groups.
public struct Form<Content: View>: PrimitiveView {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in Rows("form").show(view.content, in: node) }
    }
}

/// What lists and forms have in common: sections stand by themselves, other rows that follow each other make a group.
@MainActor
struct Rows {
    private let word: String

    init(_ word: String) { self.word = word }

    func show<Content: View>(_ content: Content, in node: _Node) {
        let part = node.showsInParts()
        node.show(content)
        let style = node.values.listStyle
        node.composes { [word] node in
            var output = node.childrenOutput
            let more = part.more(after: &output, of: node)
            var groups: [Element] = []
            var loose: [Output.Item] = []
            var number = 0
            @MainActor func close() {
                guard !loose.isEmpty else { return }
                groups.append(
                    Element(
                        ElementID(node.number, .numbered(number)), "ul",
                        [.init("class", "group"), .init("role", "list")], children: loose.map(RowElement.make)))
                loose = []
                number += 1
            }
            for item in output.items {
                if item.traits[SectionKey.self] {
                    close()
                    groups.append(item.element)
                } else {
                    loose.append(item)
                }
            }
            close()
            if let more { groups.append(more) }
            output.items = [
                Output.Item(
                    Element(
                        ElementID(node.number), "div", [.init("class", "\(word) \(style)")], children: groups))
            ]
            return output
        }
    }
}

/// Whether an item is a section.
enum SectionKey: OutputKey { static var initial: Bool { false } }
/// What deletes the row.
enum DeleteKey: OutputKey { static var initial: (@MainActor () -> Void)? { nil } }
/// Buttons that a swipe uncovers.
enum RowActionsKey: OutputKey { static var initial: [Element] { [] } }

/// A row of a group.
@MainActor
enum RowElement {
    static func make(_ item: Output.Item) -> Element {
        let id = item.element.id.node
        var actions = item.traits[RowActionsKey.self]
        if let delete = item.traits[DeleteKey.self], !item.traits[DeleteDisabledKey.self] {
            let name = AccessibleText.pieces(of: item.element).first ?? ""
            actions.append(
                Element(
                    ElementID(id, .action), "button",
                    [
                        .init("type", "button"), .init("class", "delete"),
                        .init("aria-label", name.isEmpty ? "Delete" : "Delete, \(name)"),
                    ],
                    children: [
                        Element(
                            ElementID(id, .icon), "i",
                            [.init("class", "icon"), .init("data-icon", Symbols.icon("trash"))])
                    ],
                    handlers: [(.click, { _ in delete() })]))
        }
        return Element(
            ElementID(id, .row), "li",
            [.init("class", actions.isEmpty ? "row" : "row swipes")], children: [item.element] + actions)
    }
}

/// Rows with a title.
public struct Section<Parent: View, Content: View, Footer: View>: PrimitiveView {
    private let header: Parent
    private let content: Content
    private let footer: Footer

    init(header: Parent, footer: Footer, content: Content) {
        self.header = header
        self.footer = footer
        self.content = content
    }

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            let title = ElementID(node.number, .title)
            let hasTitle = !(view.header is EmptyView)
            node.show(view.header, at: 0)
            let below = node.environment(changedBy: hasTitle) { store in
                var values = EnvironmentValues(store)
                values.sectionTitle = hasTitle ? title : nil
                store = values.store
            }
            node.show(view.content, at: 1, environment: below)
            node.show(view.footer, at: 2)
            node.composes { node in
                let (header, footer) = (node.children[0].output.elements, node.children[2].output.elements)
                var output = node.children[1].output
                var children: [Element] = []
                if !header.isEmpty {
                    children.append(Element(title, "h2", [.init("class", "section-title")], children: header))
                }
                if !output.items.isEmpty {
                    children.append(
                        Element(
                            ElementID(node.number, .content), "ul", [.init("class", "group"), .init("role", "list")],
                            children: output.items.map(RowElement.make)))
                }
                if !footer.isEmpty {
                    children.append(
                        Element(
                            ElementID(node.number, .footer), "div", [.init("class", "section-footer")], children: footer
                        ))
                }
                var attributes: [Element.Attribute] = [.init("class", "section")]
                if !header.isEmpty { attributes.append(.init("aria-labelledby", title.description)) }
                var item = Output.Item(
                    Element(ElementID(node.number), "section", attributes, children: children))
                item.traits[SectionKey.self] = true
                output.items = [item]
                return output
            }
        }
    }
}

extension Section where Parent == Text, Footer == EmptyView {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), footer: EmptyView(), content: content())
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), footer: EmptyView(), content: content())
    }
}

extension Section where Parent == EmptyView, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), footer: EmptyView(), content: content())
    }
}

extension Section where Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), footer: EmptyView(), content: content())
    }
}

extension Section where Parent == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), footer: footer(), content: content())
    }
}

extension Section {
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer
    ) {
        self.init(header: header(), footer: footer(), content: content())
    }
}
