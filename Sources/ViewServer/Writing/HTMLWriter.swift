import ViewGraph

/// Writes elements as HTML. Everything that an app says passes here, and leaves as text or as the value of an attribute.
struct HTMLWriter {
    private(set) var html = ""

    static func html(of element: Element) -> String {
        var writer = HTMLWriter()
        writer.write(element)
        return writer.html
    }

    private mutating func write(_ element: Element, isSelected: Bool = false) {
        if element["data-icon"] != nil, element.children.isEmpty {
            writeIcon(element)
            return
        }
        html += "<\(element.tag) id=\""
        html += Self.name(of: element.id)
        html += "\""
        for attribute in element.attributes { write(attribute.name, attribute.value) }
        if !element.handlers.isEmpty { write("data-on", element.eventWords) }
        if isSelected { write("selected", "") }
        if let value = element.value, element.tag == "input" { write("value", value) }
        html += ">"
        if Self.isEmpty(element.tag) { return }
        if let value = element.value, element.tag == "textarea" {
            // A parser leaves the first line break out.
            html += "\n"
            escape(value)
        } else if case .text(let text) = element.content {
            escape(text)
        }
        for child in element.children {
            write(child, isSelected: element.tag == "select" && element.value != nil && child["value"] == element.value)
        }
        html += "</\(element.tag)>"
    }

    /// A part of the sprite, by its name. What it stands for is said by text beside it, or by a name of its own.
    private mutating func writeIcon(_ element: Element) {
        html += "<svg id=\"\(Self.name(of: element.id))\""
        for attribute in element.attributes { write(attribute.name, attribute.value) }
        if element["aria-label"] == nil { write("aria-hidden", "true") } else { write("role", "img") }
        if !element.handlers.isEmpty { write("data-on", element.eventWords) }
        html += "><use href=\"/icons.svg#"
        escape(element["data-icon"] ?? "")
        html += "\"></use></svg>"
    }

    private mutating func write(_ name: String, _ value: String) {
        guard let value = Self.value(of: name, value) else { return }
        html += " \(name)=\""
        escape(value)
        html += "\""
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 where byte == 38 || byte == 60 || byte == 62 || byte == 34 {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "&": html += "&amp;"
                case "<": html += "&lt;"
                case ">": html += "&gt;"
                case "\"": html += "&quot;"
                default: html.unicodeScalars.append(scalar)
                }
            }
            return
        }
        html += text
    }

    // MARK: - Names and values

    /// An element's name in the page.
    static func name(of id: ElementID) -> String { "n\(id)" }

    /// The element that a page means.
    static func id(of name: Substring) -> ElementID? {
        name.hasPrefix("n") ? ElementID(String(name.dropFirst())) : nil
    }

    /// The value of an attribute as the page has it; `nil` for attributes that are not for pages.
    static func value(of name: String, _ value: String) -> String? {
        switch name {
        case "aria-labelledby", "aria-describedby", "aria-controls", "for":
            return value.split(separator: " ").map { "n\($0)" }.joined(separator: " ")
        case "src":
            return value.hasPrefix("/") && !value.hasPrefix("//") || value.hasPrefix("data:image/") ? value : nil
        case "href":
            return ["https:", "http:", "mailto:"].contains { value.lowercased().hasPrefix($0) } ? value : nil
        default:
            // No attribute of ours runs anything; a mistake is to be none that does.
            return name.hasPrefix("on") || name == "srcdoc" || name == "formaction" ? nil : value
        }
    }

    private static func isEmpty(_ tag: String) -> Bool { ["input", "img", "hr", "br"].contains(tag) }
}
