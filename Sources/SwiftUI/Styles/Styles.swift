/// How text looks: by its task on the page, or by size.
public struct Font: Hashable, Sendable {
    enum Size: Hashable, Sendable {
        case style(TextStyle)
        case points(CGFloat)
    }

    var size: Size
    var weight: Weight?
    var isItalic = false
    var design: Design?
    var hasFixedDigits = false

    public enum TextStyle: String, CaseIterable, Hashable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }

    public struct Weight: Hashable, Sendable {
        let value: Int
        public static let ultraLight = Weight(value: 100)
        public static let thin = Weight(value: 200)
        public static let light = Weight(value: 300)
        public static let regular = Weight(value: 400)
        public static let medium = Weight(value: 500)
        public static let semibold = Weight(value: 600)
        public static let bold = Weight(value: 700)
        public static let heavy = Weight(value: 800)
        public static let black = Weight(value: 900)
    }

    public enum Design: Hashable, Sendable {
        case `default`, serif, rounded, monospaced
    }

    public static let largeTitle = Font(size: .style(.largeTitle))
    public static let title = Font(size: .style(.title))
    public static let title2 = Font(size: .style(.title2))
    public static let title3 = Font(size: .style(.title3))
    public static let headline = Font(size: .style(.headline))
    public static let subheadline = Font(size: .style(.subheadline))
    public static let body = Font(size: .style(.body))
    public static let callout = Font(size: .style(.callout))
    public static let footnote = Font(size: .style(.footnote))
    public static let caption = Font(size: .style(.caption))
    public static let caption2 = Font(size: .style(.caption2))

    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font {
        Font(size: .points(size), weight: weight, design: design)
    }

    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(size: .style(style), weight: weight, design: design)
    }

    public func weight(_ weight: Weight) -> Font { with { $0.weight = weight } }
    public func bold() -> Font { weight(.bold) }
    public func italic() -> Font { with { $0.isItalic = true } }
    public func monospaced() -> Font { with { $0.design = .monospaced } }
    public func monospacedDigit() -> Font { with { $0.hasFixedDigits = true } }

    private func with(_ change: (inout Font) -> Void) -> Font {
        var font = self
        change(&font)
        return font
    }

    /// The words of the style sheet, and what it has no word for.
    var css: (classes: [String], style: String) {
        var classes: [String] = []
        var style = ""
        switch size {
        case .style(let name): classes.append("f-\(name.rawValue)")
        case .points(let points): style += "font-size:\(points.css)px;"
        }
        if let weight { style += "font-weight:\(weight.value);" }
        if isItalic { style += "font-style:italic;" }
        if hasFixedDigits { classes.append("digits") }
        switch design {
        case .monospaced: classes.append("mono")
        case .serif: classes.append("serif")
        case .rounded: classes.append("rounded")
        case .default, nil: break
        }
        return (classes, style)
    }
}

extension CGFloat {
    /// As the style sheet writes it: at most two decimals, none needed for whole numbers.
    var css: String {
        guard isFinite else { return "0" }
        let hundredths = (self * 100).rounded()
        if hundredths.truncatingRemainder(dividingBy: 100) == 0 { return String(Int(hundredths / 100)) }
        return String(Double(hundredths) / 100)
    }
}

/// What text and symbols are drawn with.
public protocol ShapeStyle: Sendable {
    /// The style as the page knows it. Apps do not call or implement it.
    var _foreground: _ForegroundStyle { get }
}

/// A style in the words of the page.
public struct _ForegroundStyle: Hashable, Sendable {
    enum Paint: Hashable, Sendable {
        /// A word of the style sheet, which has it for light and dark.
        case named(String)
        case rgb(red: Double, green: Double, blue: Double, opacity: Double)
    }

    var paint: Paint
    var opacity = 1.0

    /// A value of a style's attribute.
    var css: String {
        let color =
            switch paint {
            case .named(let name): "var(--\(name))"
            case .rgb(let red, let green, let blue, let opacity):
                "rgb(\(CGFloat(red * 255).css) \(CGFloat(green * 255).css) \(CGFloat(blue * 255).css) / \(CGFloat(opacity).css))"
            }
        return opacity == 1
            ? color : "color-mix(in srgb, \(color) \(CGFloat(opacity * 100).css)%, transparent)"
    }
}

typealias ForegroundStyle = _ForegroundStyle

public struct HierarchicalShapeStyle: ShapeStyle, Hashable {
    let name: String
    public var _foreground: _ForegroundStyle { _ForegroundStyle(paint: .named(name)) }
    public static let primary = HierarchicalShapeStyle(name: "primary")
    public static let secondary = HierarchicalShapeStyle(name: "secondary")
    public static let tertiary = HierarchicalShapeStyle(name: "tertiary")
}

public struct TintShapeStyle: ShapeStyle, Hashable {
    public init() {}
    public var _foreground: _ForegroundStyle { _ForegroundStyle(paint: .named("tint")) }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { .primary }
    public static var secondary: HierarchicalShapeStyle { .secondary }
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
}

extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

/// A colour; those with names are other ones in light and in dark.
public struct Color: ShapeStyle, Hashable {
    private let style: _ForegroundStyle

    private init(named name: String) { style = _ForegroundStyle(paint: .named(name)) }

    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        style = _ForegroundStyle(paint: .rgb(red: red, green: green, blue: blue, opacity: opacity))
    }

    public init(white: Double, opacity: Double = 1) {
        self.init(red: white, green: white, blue: white, opacity: opacity)
    }

    private init(_ style: _ForegroundStyle) { self.style = style }

    public var _foreground: _ForegroundStyle { style }

    public func opacity(_ opacity: Double) -> Color {
        var style = style
        style.opacity *= min(max(opacity, 0), 1)
        return Color(style)
    }

    public static let primary = Color(named: "primary")
    public static let secondary = Color(named: "secondary")
    public static let accentColor = Color(named: "tint")
    public static let clear = Color(red: 0, green: 0, blue: 0, opacity: 0)
    public static let black = Color(white: 0)
    public static let white = Color(white: 1)
    public static let red = Color(named: "red")
    public static let orange = Color(named: "orange")
    public static let yellow = Color(named: "yellow")
    public static let green = Color(named: "green")
    public static let mint = Color(named: "mint")
    public static let teal = Color(named: "teal")
    public static let cyan = Color(named: "cyan")
    public static let blue = Color(named: "blue")
    public static let indigo = Color(named: "indigo")
    public static let purple = Color(named: "purple")
    public static let pink = Color(named: "pink")
    public static let brown = Color(named: "brown")
    public static let gray = Color(named: "gray")
}

extension ShapeStyle where Self == Color {
    public static var red: Color { .red }
    public static var orange: Color { .orange }
    public static var yellow: Color { .yellow }
    public static var green: Color { .green }
    public static var mint: Color { .mint }
    public static var teal: Color { .teal }
    public static var cyan: Color { .cyan }
    public static var blue: Color { .blue }
    public static var indigo: Color { .indigo }
    public static var purple: Color { .purple }
    public static var pink: Color { .pink }
    public static var brown: Color { .brown }
    public static var gray: Color { .gray }
    public static var black: Color { .black }
    public static var white: Color { .white }
}
