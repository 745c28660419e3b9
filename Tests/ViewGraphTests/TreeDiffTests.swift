import Testing

@testable import ViewGraph

/// The steps from one tree to another, carried out as a browser does.
@MainActor
@Suite struct `The difference of two trees` {
    /// What a browser has of an element.
    final class Shown {
        let tag: String
        var attributes: [String: String]
        var text: String?
        var value: String?
        var children: [ElementID] = []
        var parent: ElementID?

        init(_ element: Element) {
            tag = element.tag
            attributes = Dictionary(element.attributes.map { ($0.name, $0.value) }) { first, _ in first }
            value = element.value
            if case .text(let text) = element.content { self.text = text }
        }
    }

    /// A page without a browser.
    struct Page {
        private(set) var elements: [ElementID: Shown] = [:]

        init(_ root: Element) { add(root, to: nil) }

        private mutating func add(_ element: Element, to parent: ElementID?) {
            let shown = Shown(element)
            shown.parent = parent
            elements[element.id] = shown
            for child in element.children {
                shown.children.append(child.id)
                add(child, to: element.id)
            }
        }

        private mutating func take(_ id: ElementID) {
            guard let parent = elements[id]?.parent else { return }
            elements[parent]?.children.removeAll { $0 == id }
        }

        private mutating func put(_ id: ElementID, into parent: ElementID, before next: ElementID?) throws {
            let shown = try #require(elements[parent])
            let index = try next.map { try #require(shown.children.firstIndex(of: $0)) } ?? shown.children.count
            shown.children.insert(id, at: index)
            elements[id]?.parent = parent
        }

        private mutating func forget(_ id: ElementID) {
            for child in elements[id]?.children ?? [] { forget(child) }
            elements[id] = nil
        }

        mutating func apply(_ patch: Patch) throws {
            switch patch {
            case .insert(let element, let parent, let next):
                #expect(elements[element.id] == nil)
                add(element, to: parent)
                try put(element.id, into: parent, before: next)
            case .remove(let id):
                take(id)
                forget(id)
            case .move(let id, let parent, let next):
                take(id)
                try put(id, into: parent, before: next)
            case .text(let id, let text): try #require(elements[id]).text = text
            case .attribute(let id, let name, let value): try #require(elements[id]).attributes[name] = value
            case .value(let id, let value, _): try #require(elements[id]).value = value
            case .focus: break
            }
        }

        /// The page as text, so that two compare.
        func outline(_ id: ElementID) -> String {
            guard let shown = elements[id] else { return "-" }
            let attributes = shown.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(id)<\(shown.tag) \(attributes.joined(separator: ","))>\(shown.text ?? "")|\(shown.value ?? "")"
                + "(\(shown.children.map(outline).joined()))"
        }
    }

    /// A random tree whose parts have the identifiers of others, in other places.
    struct Maker {
        var random: Generator
        var numbers: [Int]

        init(seed: UInt64) {
            random = Generator(state: seed)
            numbers = Array(1...40)
            numbers.shuffle(using: &random)
        }

        mutating func tree(_ id: ElementID, depth: Int) -> Element {
            let attributes = ["class", "title", "inert"].filter { _ in Bool.random(using: &random) }
                .map { Element.Attribute($0, "\(Int.random(in: 0...2, using: &random))") }
            let kind = depth == 0 ? 2 : Int.random(in: 0...4, using: &random)
            switch kind {
            case 0 where depth < 3:
                return Element(id, "p", attributes, text: "\(Int.random(in: 0...3, using: &random))")
            case 1 where depth < 3:
                return Element(id, "input", attributes, value: "\(Int.random(in: 0...3, using: &random))")
            default:
                var children: [Element] = []
                if depth < 3 {
                    for _ in 0..<Int.random(in: 0...6, using: &random) where !numbers.isEmpty {
                        let number = numbers.removeLast()
                        // The same numbers stay below the same parents, as those of nodes do.
                        children.append(
                            tree(ElementID(id.node * 50 + number % 7 + 1, .numbered(number)), depth: depth + 1))
                    }
                }
                return Element(id, "div", attributes, children: children)
            }
        }
    }

    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test(arguments: 1...300) func `leads from any tree to any other`(seed: Int) throws {
        var one = Maker(seed: UInt64(seed))
        var two = Maker(seed: UInt64(seed) &* 77)
        let (old, new) = (one.tree(ElementID(0), depth: 0), two.tree(ElementID(0), depth: 0))
        var page = Page(old)
        for patch in TreeDiff(from: old, to: new).patches { try page.apply(patch) }
        #expect(page.outline(ElementID(0)) == Page(new).outline(ElementID(0)))
    }

    private func list(_ numbers: [Int]) -> Element {
        Element(ElementID(0), "ul", children: numbers.map { Element(ElementID($0), "li", text: "\($0)") })
    }

    @Test func `moves no more children than it must`() {
        func moves(_ old: [Int], _ new: [Int]) -> Int {
            TreeDiff(from: list(old), to: list(new)).patches.count
        }
        #expect(moves([1, 2, 3, 4, 5], [5, 1, 2, 3, 4]) == 1)
        #expect(moves([1, 2, 3, 4, 5], [2, 3, 4, 5, 1]) == 1)
        #expect(moves([1, 2, 3, 4, 5], [1, 2, 9, 3, 4, 5]) == 1)
        #expect(moves([1, 2, 3, 4, 5], [1, 3, 5]) == 2)
        #expect(moves([1, 2, 3, 4], [4, 3, 2, 1]) == 3)
        #expect(moves([1, 2, 3], [1, 2, 3]) == 0)
    }

    @Test func `stops where both trees share what is below`() {
        let shared = list(Array(1...500))
        let old = Element(ElementID(1000), "div", children: [shared])
        let new = Element(ElementID(1000), "div", [.init("class", "x")], children: [shared])
        let diff = TreeDiff(from: old, to: new)
        #expect(diff.patches.count == 1 && diff.kept.count == 1)
    }

    @Test func `answers what was typed only where something else is to be shown`() {
        let id = ElementID(1)
        let field = { Element(id, "input", value: $0) }
        func patches(_ old: String, typed: String, _ new: String) -> [String] {
            TreeDiff(from: field(old), to: field(new), typed: [id: (typed, 7)]).patches.map {
                if case .value(_, let value, let event) = $0 { return "\(value) \(event)" }
                return "?"
            }
        }
        #expect(patches("", typed: "a", "a") == [])
        #expect(patches("", typed: "a", "A") == ["A 7"])
        #expect(patches("x", typed: "xa", "x") == ["x 7"])
    }

    @Test func `an identifier is read as it is written`() {
        for id in [ElementID(0), ElementID(84), ElementID(84, .row), ElementID(3, .numbered(12))] {
            #expect(ElementID(id.description) == id)
        }
        for text in ["", ".", "1.", ".1", "1.2.3", "-1", "01", "1.0", "1.01", "a", "1.99999999", "1 "] {
            #expect(ElementID(text) == nil, "\(text)")
        }
    }
}
