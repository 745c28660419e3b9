import ViewGraph

/// An attribute that assistive technology reads.
struct AccessibilityModifier: ElementModifier, Equatable {
    let name: String
    let value: String

    func change(_ element: Element, of node: _Node) -> Element { element.with(name, value) }
}

/// The name of a view for assistive technology, in place of what is seen.
struct AccessibilityLabelModifier: ElementModifier, Equatable {
    let label: String

    private static let named: Set = [
        "button", "a", "input", "textarea", "select", "dialog", "ul", "time", "h1", "h2", "h3",
    ]

    func change(_ element: Element, of node: _Node) -> Element {
        // Only what has a role has a name. A leaf's name is read in place of its text, a container's before what is in it.
        naming(element)
            ?? element.with("role", element.children.isEmpty ? "img" : "group").with("aria-label", label)
    }

    /// `nil` for what has no role. A box that a modifier drew around one thing is that thing.
    private func naming(_ element: Element) -> Element? {
        if element.tag == "img" { return element.with("alt", label) }
        if element["data-icon"] != nil { return element.with("role", "img").with("aria-label", label) }
        if element["role"] != nil || Self.named.contains(element.tag) { return element.with("aria-label", label) }
        guard element.children.count == 1, let inner = naming(element.children[0]) else { return nil }
        return element.with(children: [inner])
    }
}

/// What a container reads of a view: its tag.
enum TagKey: OutputKey {
    static var initial: AnyHashable? { nil }
}

struct TagModifier: OutputModifier {
    let tag: AnyHashable

    func change(_ output: inout Output, of node: _Node) {
        for index in output.items.indices where !output.items[index].traits.has(TagKey.self) {
            output.items[index].traits[TagKey.self] = tag
        }
    }
}

extension View {
    public func accessibilityLabel(_ label: Text) -> some View {
        modifier(AccessibilityLabelModifier(label: label.plain))
    }

    public func accessibilityLabel(_ key: LocalizedStringKey) -> some View { accessibilityLabel(Text(key)) }

    @_disfavoredOverload
    public func accessibilityLabel<Label: StringProtocol>(_ label: Label) -> some View {
        accessibilityLabel(Text(label))
    }

    public func accessibilityHidden(_ hidden: Bool) -> some View {
        modifier(AccessibilityModifier(name: "aria-hidden", value: hidden ? "true" : "false"))
    }

    /// A name for tests; nobody sees or hears it.
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        modifier(AccessibilityModifier(name: "data-identifier", value: identifier))
    }

    /// Marks the view for the container around it: which selection it stands for.
    public func tag<Tag: Hashable>(_ tag: Tag) -> some View { modifier(TagModifier(tag: AnyHashable(tag))) }
}
