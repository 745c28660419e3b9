import ViewGraph

/// An attribute that assistive technology reads.
struct AccessibilityModifier: ElementModifier, Equatable {
    let name: String
    let value: String

    func change(_ element: Element, of node: _Node) -> Element { element.with(name, value) }
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
        modifier(AccessibilityModifier(name: "aria-label", value: label.plain))
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
