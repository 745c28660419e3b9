public import ViewGraph

/// One or more lines of text.
public struct Text: PrimitiveView, Hashable {
    enum Storage: Hashable {
        case string(String)
        case date(Date, DateStyle)
        case pieces([Text])
    }

    /// How it looks, where something was said of it. Views hold texts, and views hold those views: a text is best small.
    private final class Look: Hashable, Sendable {
        struct Values: Hashable, Sendable {
            var font: Font?
            var weight: Font.Weight?
            var isItalic = false
            var decoration: String?
            var foreground: ForegroundStyle?
        }

        let values: Values

        init(_ values: Values) { self.values = values }

        static func == (left: Look, right: Look) -> Bool { left === right || left.values == right.values }
        func hash(into hasher: inout Hasher) { hasher.combine(values) }
    }

    nonisolated var storage: Storage
    private nonisolated var own: Look?
    private nonisolated var look: Look.Values {
        get { own?.values ?? Look.Values() }
        set { own = Look(newValue) }
    }

    /// How a date is told. The relative ones are told anew as time passes.
    public struct DateStyle: Hashable, Sendable {
        let name: String
        public static let date = DateStyle(name: "date")
        public static let time = DateStyle(name: "time")
        public static let relative = DateStyle(name: "relative")
        public static let offset = DateStyle(name: "offset")
        public static let timer = DateStyle(name: "timer")
    }

    public nonisolated init(_ key: LocalizedStringKey) { storage = .string(key.text) }
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ content: S) { storage = .string(String(content)) }
    public nonisolated init(verbatim content: String) { storage = .string(content) }
    public nonisolated init(_ date: Date, style: DateStyle) { storage = .date(date, style) }

    public nonisolated init<F: FormatStyle>(_ input: F.FormatInput, format: F)
    where F.FormatInput: Equatable, F.FormatOutput == String {
        storage = .string(format.format(input))
    }

    public nonisolated static func + (left: Text, right: Text) -> Text {
        var sum = Text(verbatim: "")
        sum.storage = .pieces([left, right])
        return sum
    }

    public func font(_ font: Font?) -> Text { with { $0.look.font = font } }
    public func fontWeight(_ weight: Font.Weight?) -> Text { with { $0.look.weight = weight } }
    public func bold() -> Text { fontWeight(.bold) }
    public func italic() -> Text { with { $0.look.isItalic = true } }
    public func strikethrough(_ isActive: Bool = true) -> Text {
        with { $0.look.decoration = isActive ? "line-through" : nil }
    }
    public func underline(_ isActive: Bool = true) -> Text {
        with { $0.look.decoration = isActive ? "underline" : nil }
    }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { with { $0.look.foreground = style._foreground } }
    public func foregroundColor(_ color: Color?) -> Text { with { $0.look.foreground = color?._foreground } }
    public func monospacedDigit() -> Text { with { $0.look.font = ($0.look.font ?? .body).monospacedDigit() } }

    private func with(_ change: (inout Text) -> Void) -> Text {
        var text = self
        change(&text)
        return text
    }

    /// The words alone, dates as of now.
    nonisolated var plain: String { plain(at: .now) }

    nonisolated func plain(at now: Date) -> String {
        switch storage {
        case .string(let string): string
        case .date(let date, let style): DateText(date, style).text(at: now)
        case .pieces(let pieces): pieces.map { $0.plain(at: now) }.joined()
        }
    }

    public static func _visit(_ view: Text, _ node: _Node) {
        node.visit(view) { text, node in
            let values = node.values
            let element = text.element(ElementID(node.number), values, node.number, isInner: false)
            node.composes { _ in Output(element) }
        }
    }

    /// - Parameter isInner: Whether it is a piece of another text, which has the environment's looks.
    func element(_ id: ElementID, _ values: EnvironmentValues, _ node: Int, isInner: Bool) -> Element {
        var attributes = attributes(isInner ? EnvironmentValues() : values)
        switch storage {
        case .string(let string): return Element(id, "span", attributes, text: string)
        case .date(let date, let style):
            let told = DateText(date, style)
            attributes.append(.init("datetime", told.machineText))
            attributes.append(.init("data-style", style.name))
            return Element(id, "time", attributes, text: told.text(at: values.clock.now()))
        case .pieces(let pieces):
            var number = id.part == .main ? 0 : Int(id.part.rawValue - 100) * 2 + 2
            let children = pieces.map { piece in
                defer { number += 1 }
                return piece.element(ElementID(node, .numbered(number)), values, node, isInner: true)
            }
            return Element(id, "span", attributes, children: children)
        }
    }

    private func attributes(_ values: EnvironmentValues) -> [Element.Attribute] {
        var classes: [String] = []
        var style = ""
        let look = look
        if var font = look.font ?? values.font {
            if let weight = look.weight { font.weight = weight }
            if look.isItalic { font.isItalic = true }
            let css = font.css
            classes += css.classes
            style += css.style
        } else {
            if let weight = look.weight { style += "font-weight:\(weight.value);" }
            if look.isItalic { style += "font-style:italic;" }
        }
        if let decoration = look.decoration { style += "text-decoration:\(decoration);" }
        if let foreground = look.foreground ?? values.foreground { style += "color:\(foreground.css);" }
        if let lines = values.lineLimit {
            classes.append(lines == 1 ? "one-line" : "lines")
            if lines != 1 { style += "-webkit-line-clamp:\(lines);" }
        }
        var attributes: [Element.Attribute] = []
        if !classes.isEmpty { attributes.append(.init("class", classes.joined(separator: " "))) }
        if !style.isEmpty { attributes.append(.init("style", style)) }
        return attributes
    }
}
