import SwiftUI
package import ViewGraph

/// Something on a screen that a person can name.
public struct ScreenPart: CustomStringConvertible {
    public enum Role: String, Sendable {
        case button, link, tab, `switch`, radio, textField, textArea, comboBox, heading, text, time, list, listItem,
            dialog
        case image, progress, alert, status, region
    }

    public let role: Role
    public let name: String
    /// The texts in it, in order.
    public let texts: [String]
    /// What a field holds, or whether a switch is on.
    public let value: String?
    public let isEnabled: Bool
    public let isSelected: Bool
    public let options: [String]
    /// What a button puts on the clipboard.
    public var copies: String? { element["data-copy"] }
    let depth: Int
    package let id: ElementID
    package let element: Element

    public var description: String {
        var words = ["\(role.rawValue)", "'\(name)'"]
        if let value { words.append("= '\(value)'") }
        if !isEnabled { words.append("(disabled)") }
        if isSelected { words.append("(selected)") }
        return words.joined(separator: " ")
    }
}

/// Reads a window as assistive technology does.
@MainActor
struct ScreenReader {
    private(set) var parts: [ScreenPart] = []
    private var byID: [String: Element] = [:]

    /// A dialogue makes everything else inert; the last that was opened is the topmost.
    private static func reachable(in root: Element) -> Element { root.children.last { $0.tag == "dialog" } ?? root }

    /// The innermost element that handles an event and has the text as the name of a part, or as one of its texts.
    static func taker(of event: WindowEvent.Kind, around text: String, in root: Element) -> Element? {
        func search(_ element: Element) -> Element? {
            guard element["inert"] == nil, element["disabled"] == nil else { return nil }
            for child in element.children { if let found = search(child) { return found } }
            guard element.handlers.contains(where: { $0.event == event }) else { return nil }
            let isNamed = element["aria-label"] == text || AccessibleText.of(element) == text
            return isNamed || AccessibleText.pieces(of: element).contains(text) ? element : nil
        }
        return search(reachable(in: root))
    }

    init(_ root: Element) {
        let top = Self.reachable(in: root)
        index(top)
        read(top, depth: 0)
    }

    private mutating func index(_ element: Element) {
        byID[element.id.description] = element
        for child in element.children { index(child) }
    }

    private mutating func read(_ element: Element, depth: Int) {
        guard element["inert"] == nil, element["aria-hidden"] != "true" else { return }
        var inner = depth
        if let role = role(of: element) {
            let texts = AccessibleText.pieces(of: element)
            parts.append(
                ScreenPart(
                    role: role, name: name(of: element, role, texts), texts: texts, value: value(of: element, role),
                    isEnabled: element["disabled"] == nil, isSelected: element["aria-selected"] == "true",
                    options: element.tag == "select" ? element.children.map(AccessibleText.of) : [], depth: depth,
                    id: element.id, element: element))
            inner += 1
            // What a control is made of is its name.
            if [.button, .link, .tab, .switch, .radio, .comboBox, .image].contains(role) { return }
        }
        for child in element.children { read(child, depth: inner) }
    }

    private func role(of element: Element) -> ScreenPart.Role? {
        switch element["role"] {
        case "link": return .link
        case "tab": return .tab
        case "switch": return .switch
        case "radio": return .radio
        case "progressbar": return .progress
        case "img": return .image
        case "status": return AccessibleText.of(element).isEmpty ? nil : .status
        case "alert": return .alert
        case "alertdialog", "dialog": return .dialog
        default: break
        }
        switch element.tag {
        case "button": return .button
        case "a": return .link
        case "input": return .textField
        case "textarea": return .textArea
        case "select": return .comboBox
        case "h1", "h2", "h3": return AccessibleText.of(element).isEmpty ? nil : .heading
        case "ul": return .list
        case "li": return .listItem
        case "dialog": return .dialog
        case "img": return .image
        case "time": return .time
        case "section": return element["aria-labelledby"] == nil ? nil : .region
        default:
            if case .text(let text) = element.content, !text.isEmpty { return .text }
            return nil
        }
    }

    private func name(of element: Element, _ role: ScreenPart.Role, _ texts: [String]) -> String {
        if let label = element["aria-label"] ?? element["alt"] { return label }
        if let labels = element["aria-labelledby"] {
            return labels.split(separator: " ").compactMap { byID[String($0)] }.map(AccessibleText.of)
                .joined(separator: " ")
        }
        switch role {
        case .list, .region, .dialog, .textField, .textArea: return ""
        case .listItem: return texts.first ?? ""
        default: return texts.joined(separator: " ")
        }
    }

    private func value(of element: Element, _ role: ScreenPart.Role) -> String? {
        switch role {
        case .switch, .radio: element["aria-checked"] == "true" ? "on" : "off"
        case .progress: element["aria-valuenow"]
        case .comboBox:
            element.value.flatMap(Int.init).flatMap { index in
                element.children.indices.contains(index) ? AccessibleText.of(element.children[index]) : nil
            } ?? ""
        default: element.value
        }
    }
}
