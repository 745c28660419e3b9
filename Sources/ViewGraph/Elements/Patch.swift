/// One step from what a browser shows to what it is to show.
package enum Patch {
    /// A new element with all below it; before a sibling, or last.
    case insert(Element, into: ElementID, before: ElementID?)
    case remove(ElementID)
    case move(ElementID, into: ElementID, before: ElementID?)
    case text(ElementID, String)
    case attribute(ElementID, name: String, value: String?)
    /// What a field is to show. `event` is the last input that this answers: a browser in which the person has typed on since
    /// leaves the field alone.
    case value(ElementID, String, event: Int)
    case focus(ElementID)
}

/// Compares two trees of one window.
package struct TreeDiff {
    /// What the browser shows in a field because it was typed there, with the number of the event.
    package typealias Typed = [ElementID: (value: String, event: Int)]

    package var patches: [Patch] { removals + changes }
    /// Elements that were not there before, and those that are not there any more; each with all below it.
    package private(set) var inserted: [Element] = []
    package private(set) var removed: [Element] = []
    /// Elements that stay and whose handlers may have changed.
    package private(set) var kept: [Element] = []
    private let typed: Typed
    /// What goes does so before anything comes: an element that lies below another parent now comes under the same identifier.
    private var removals: [Patch] = []
    private var changes: [Patch] = []

    /// - Precondition: The roots have the same identifier and tag.
    package init(from old: Element, to new: Element, typed: Typed = [:]) {
        self.typed = typed
        precondition(Self.fits(old, new), "the root of a window stays")
        compare(old, new)
    }

    private static func fits(_ old: Element, _ new: Element) -> Bool {
        guard old.id == new.id, old.tag == new.tag, (old.value == nil) == (new.value == nil) else { return false }
        switch (old.content, new.content) {
        case (.text, .text), (.children, .children): return true
        default: return false
        }
    }

    private mutating func compare(_ old: Element, _ new: Element) {
        if let value = new.value {
            let shown = typed[new.id]
            if value != shown?.value ?? old.value {
                changes.append(.value(new.id, value, event: shown?.event ?? 0))
            }
        }
        guard old !== new else { return }
        kept.append(new)
        compareAttributes(old, new)
        switch (old.content, new.content) {
        case (.text(let before), .text(let after)): if before != after { changes.append(.text(new.id, after)) }
        case (.children(let before), .children(let after)): compareChildren(before, after, of: new.id)
        default: break  // `fits` keeps them apart
        }
    }

    private mutating func compareAttributes(_ old: Element, _ new: Element) {
        compareEvents(old, new)
        guard old.attributes != new.attributes else { return }
        for attribute in new.attributes where old[attribute.name] != attribute.value {
            changes.append(.attribute(new.id, name: attribute.name, value: attribute.value))
        }
        for attribute in old.attributes where new[attribute.name] == nil {
            changes.append(.attribute(new.id, name: attribute.name, value: nil))
        }
    }

    /// The page must know which events to tell of.
    private mutating func compareEvents(_ old: Element, _ new: Element) {
        guard !old.handlers.isEmpty || !new.handlers.isEmpty else { return }
        let (before, after) = (old.eventWords, new.eventWords)
        if before != after {
            changes.append(.attribute(new.id, name: "data-on", value: after.isEmpty ? nil : after))
        }
    }

    /// Goes from the last child to the first, so that the sibling to insert before is in its place.
    private mutating func compareChildren(_ old: [Element], _ new: [Element], of parent: ElementID) {
        if old.count == new.count, zip(old, new).allSatisfy({ Self.fits($0, $1) }) {
            for (before, after) in zip(old, new) { compare(before, after) }
            return
        }
        let wanted = Dictionary(new.map { ($0.id, $0) }) { first, _ in first }
        precondition(wanted.count == new.count, "two elements of one parent have one identifier")
        var places: [ElementID: Int] = [:]
        var survivors: [Element] = []
        for element in old {
            if let match = wanted[element.id], Self.fits(element, match) {
                places[element.id] = survivors.count
                survivors.append(element)
            } else {
                removals.append(.remove(element.id))
                removed.append(element)
            }
        }
        let resting = Self.longestRise(new.compactMap { places[$0.id] })
        var next: ElementID?
        for element in new.reversed() {
            if let place = places[element.id] {
                if !resting.contains(place) { changes.append(.move(element.id, into: parent, before: next)) }
                compare(survivors[place], element)
            } else {
                changes.append(.insert(element, into: parent, before: next))
                inserted.append(element)
            }
            next = element.id
        }
    }

    /// The members of a longest rising subsequence: the children that can stay where they are.
    static func longestRise(_ numbers: [Int]) -> Set<Int> {
        var ends: [Int] = []  // index of the smallest end of a rise of each length
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var members: Set<Int> = []
        var index = ends.last ?? -1
        while index >= 0 {
            members.insert(numbers[index])
            index = previous[index]
        }
        return members
    }
}
