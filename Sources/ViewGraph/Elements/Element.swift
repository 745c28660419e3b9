/// Names an element: the node that made it, and which of that node's elements it is. Numbers of nodes are never used again in
/// a window, so an event for an element that is gone finds nothing.
package struct ElementID: Hashable, Sendable, LosslessStringConvertible {
    package let node: Int
    package let part: Part

    /// The elements of one node. A container wraps what it shows in elements that bear the number of what is wrapped.
    package struct Part: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let main = Part(rawValue: 0)
        package static let row = Part(rawValue: 1)
        package static let action = Part(rawValue: 2)
        package static let title = Part(rawValue: 3)
        package static let bar = Part(rawValue: 4)
        package static let back = Part(rawValue: 5)
        package static let tab = Part(rawValue: 6)
        package static let panel = Part(rawValue: 7)
        package static let icon = Part(rawValue: 8)
        package static let content = Part(rawValue: 9)
        package static let more = Part(rawValue: 10)
        package static let refresh = Part(rawValue: 11)
        package static let footer = Part(rawValue: 12)
        package static let leading = Part(rawValue: 13)
        package static let trailing = Part(rawValue: 14)

        /// The box around an element that a modifier draws, by how deep the modifier lies.
        package static func box(_ depth: Int) -> Part { Part(rawValue: 10_000 + UInt16(clamping: depth)) }

        /// One of several of a kind, by number.
        package static func numbered(_ number: Int) -> Part { Part(rawValue: 100 + UInt16(clamping: number)) }
    }

    package init(_ node: Int, _ part: Part = .main) {
        self.node = node
        self.part = part
    }

    package init?(_ text: String) {
        let pieces = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(pieces.count), let node = Int(Substring(pieces[0])), node >= 0 else { return nil }
        var part = Part.main
        if pieces.count == 2 {
            guard let raw = UInt16(Substring(pieces[1])) else { return nil }
            part = Part(rawValue: raw)
        }
        self.init(node, part)
        guard description == text else { return nil }
    }

    package var description: String { part == .main ? "\(node)" : "\(node).\(part.rawValue)" }
}

/// One element of what a window shows. It never changes: what is to look different is a new element with the same identifier,
/// so that two trees may share what is the same in both, and comparing them stops there.
package final class Element {
    package struct Attribute: Hashable {
        package let name: String
        package let value: String
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package enum Content {
        case text(String)
        case children([Element])
    }

    package typealias Handler = (event: WindowEvent.Kind, action: @MainActor (WindowEvent) -> Void)

    package let id: ElementID
    package let tag: String
    package private(set) var attributes: [Attribute]
    package let content: Content
    /// What a field shows; `nil` for all that is no field.
    package let value: String?
    package let handlers: [Handler]

    package init(
        _ id: ElementID, _ tag: String, _ attributes: [Attribute] = [], text: String? = nil, children: [Element] = [],
        value: String? = nil, handlers: [Handler] = []
    ) {
        self.id = id
        self.tag = tag
        self.attributes = attributes
        content = text.map(Content.text) ?? .children(children)
        self.value = value
        self.handlers = handlers
    }

    private init(_ other: Element, attributes: [Attribute], content: Content, handlers: [Handler]) {
        id = other.id
        tag = other.tag
        self.attributes = attributes
        self.content = content
        value = other.value
        self.handlers = handlers
    }

    /// Has equal lists of attributes in one place: those of a list's rows are the same for most elements.
    func share(in pool: inout AttributePool) { attributes = pool.shared(attributes) }

    /// The kinds of events that the element expects, each once, as the page reads them.
    package var eventWords: String {
        var words: [String] = []
        for handler in handlers where !words.contains(handler.event.rawValue) { words.append(handler.event.rawValue) }
        return words.joined(separator: " ")
    }

    package var children: [Element] { if case .children(let children) = content { children } else { [] } }

    package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// A copy with the attribute set; of `class`, with the words added.
    package func with(_ name: String, _ value: String) -> Element {
        var attributes = attributes
        if let index = attributes.firstIndex(where: { $0.name == name }) {
            let text = name == "class" ? "\(attributes[index].value) \(value)" : value
            attributes[index] = Attribute(name, text)
        } else {
            attributes.append(Attribute(name, value))
        }
        return Element(self, attributes: attributes, content: content, handlers: handlers)
    }

    /// A copy that handles one more kind of event.
    package func handling(_ event: WindowEvent.Kind, _ action: @escaping @MainActor (WindowEvent) -> Void) -> Element {
        Element(self, attributes: attributes, content: content, handlers: handlers + [(event, action)])
    }

    /// A copy with other children.
    package func with(children: [Element]) -> Element {
        Element(self, attributes: attributes, content: .children(children), handlers: handlers)
    }
}

/// What a person did to an element.
package struct WindowEvent: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// `over`: something is held over the element, to be dropped ("1"), or not any more ("0").
        case click, input, submit, dismiss, pull, back, focus, blur, more, files, over
    }

    package var kind: Kind
    package var target: ElementID
    /// What a field holds now, or an answer in a few words; bounded by the server.
    package var value: String
    /// What came with an event of kind `files`.
    package var files: BroughtFiles?
    /// The browser's number of the event; a patch that follows acknowledges it.
    package var number: Int

    package init(
        _ kind: Kind, _ target: ElementID, value: String = "", files: BroughtFiles? = nil, number: Int = 0
    ) {
        self.kind = kind
        self.target = target
        self.value = value
        self.files = files
        self.number = number
    }
}

/// Files that a person chose or dropped: copies, which go with the window.
package struct BroughtFiles: Sendable {
    package var paths: [String]
    /// Where in the element they were dropped, in points; 0 if they were chosen.
    package var x: Double
    package var y: Double

    package init(paths: [String], x: Double = 0, y: Double = 0) {
        self.paths = paths
        self.x = x
        self.y = y
    }
}
