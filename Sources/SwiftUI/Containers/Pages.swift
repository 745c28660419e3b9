import ViewGraph

/// Makes the pages of a stack: a bar with a title, what is below it, and a bar at the bottom if anything stands there.
@MainActor
enum Pages {
    /// What leaves a page, and the title of the one before.
    private struct Back {
        let title: String
        let pop: @MainActor () -> Void
    }

    static func compose(root: _Node, above: _Node, _ model: NavigationModel, of node: _Node) -> Output {
        let nodes = [root] + above.children
        var rising = OutputValues()
        var pages: [Element] = []
        var titles: [String] = []
        for (level, page) in nodes.enumerated() {
            let isCovered = level < nodes.count - 1
            page.setShown(!isCovered && node.isShown)
            let output = page.output
            titles.append(output.values[TitleKey.self] ?? "")
            pages.append(
                element(
                    output, number: page.number, isFirst: level == 0, isCovered: isCovered,
                    back: level == 0 ? nil : Back(title: titles[level - 1]) { model.pop(to: level - 1) }))
            rising[DialogKey.self] += output.values[DialogKey.self]
        }
        rising[TitleKey.self] = titles.last
        if nodes.count > 1 {
            rising[BackKey.self] = (nodes.count - 1, { model.pop(to: $0) })
        }
        let stack = Element(ElementID(node.number), "div", [.init("class", "stack")], children: pages)
        return Output(items: [Output.Item(stack)], values: rising)
    }

    private static func element(
        _ output: Output, number: Int, isFirst: Bool, isCovered: Bool,
        back: Back?
    ) -> Element {
        let values = output.values
        let id = { ElementID(number, $0) }
        let items = values[ToolbarKey.self]
        func elements(_ side: ToolbarItemPlacement.Side) -> [Element] {
            items.filter { $0.placement.side == side }.flatMap(\.elements)
        }
        var leading = elements(.leading)
        if let back { leading.insert(backButton(back, id(.back)), at: 0) }
        var trailing = elements(.trailing)
        let refresh = values[RefreshKey.self]
        if let refresh { trailing.insert(refresh.button(id(.refresh)), at: 0) }
        let principal = elements(.title)
        let title = Element(
            id(.title), "h1", [.init("class", "title")],
            children: principal.isEmpty
                ? [Element(id(.numbered(0)), "span", text: values[TitleKey.self] ?? "")] : principal)
        var children = [
            Element(
                id(.bar), "header", [.init("class", "bar")],
                children: [
                    Element(id(.leading), "div", [.init("class", "leading")], children: leading), title,
                    Element(id(.trailing), "div", [.init("class", "trailing")], children: trailing),
                ])
        ]
        if let search = values[SearchKey.self] { children.append(search) }
        children.append(content(output.elements, id(.content), refresh))
        if let refresh { children.append(refresh.status(id(.numbered(1)))) }
        let bottom = elements(.bottom)
        if !bottom.isEmpty {
            children.append(Element(id(.footer), "footer", [.init("class", "bottom-bar")], children: bottom))
        }
        let isLarge = isFirst && values[InlineTitleKey.self] != true || values[InlineTitleKey.self] == false
        var attributes: [Element.Attribute] = [
            .init("class", isLarge ? "page large" : "page"), .init("aria-labelledby", id(.title).description),
        ]
        if isCovered { attributes.append(.init("inert", "")) }
        return Element(id(.panel), "section", attributes, children: children)
    }

    private static func content(_ elements: [Element], _ id: ElementID, _ refresh: RefreshModel?) -> Element {
        guard let refresh else { return Element(id, "div", [.init("class", "content")], children: elements) }
        return Element(
            id, "div", [.init("class", "content"), .init("data-pull", "")], children: elements,
            handlers: [(.pull, { _ in refresh.start() })])
    }

    private static func backButton(_ back: Back, _ id: ElementID) -> Element {
        let name = back.title.isEmpty ? "Back" : back.title
        return Element(
            id, "button",
            [
                .init("type", "button"), .init("class", "button back"),
                .init("aria-label", back.title.isEmpty ? "Back" : "Back to \(back.title)"),
            ],
            text: name, handlers: [(.click, { _ in back.pop() })])
    }
}

/// How a page's title is shown.
public enum NavigationBarItem {
    public enum TitleDisplayMode: Sendable {
        case automatic, inline, large
    }
}

struct TitleModifier: OutputModifier, Equatable {
    let title: String

    func change(_ output: inout Output, of node: _Node) { output.values[TitleKey.self] = title }
}

struct InlineTitleModifier: OutputModifier, Equatable {
    let isInline: Bool?

    func change(_ output: inout Output, of node: _Node) { output.values[InlineTitleKey.self] = isInline }
}

extension View {
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
        modifier(TitleModifier(title: titleKey.text))
    }

    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
        modifier(TitleModifier(title: String(title)))
    }

    public func navigationTitle(_ title: Text) -> some View { modifier(TitleModifier(title: title.plain)) }

    public func navigationBarTitleDisplayMode(_ mode: NavigationBarItem.TitleDisplayMode) -> some View {
        let isInline: Bool? =
            switch mode {
            case .automatic: nil
            case .inline: true
            case .large: false
            }
        return modifier(InlineTitleModifier(isInline: isInline))
    }
}
