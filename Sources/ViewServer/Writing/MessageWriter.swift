import CloudWire
import ViewGraph

/// Writes what a window's stream carries.
enum MessageWriter {
    /// All that a window shows.
    /// - Parameters:
    ///   - handled: Every event up to this one has been handled.
    ///   - received: Every event up to this one has come, so a new page counts on from it.
    static func snapshot(_ element: Element, handled: Int, received: Int) -> [UInt8] {
        JSONWriter.document { json in
            json.member("k", Int64(handled))
            json.member("s", Int64(received))
            json.member("h", HTMLWriter.html(of: element))
        }
    }

    /// One step from what the window showed to what it shows. Most keys change nothing, and are only acknowledged.
    static func update(_ update: ViewGraph.Update) -> [UInt8] {
        JSONWriter.document(capacity: 128) { json in
            json.member("k", Int64(update.handled))
            if !update.patches.isEmpty {
                json.member("o", array: update.patches) { json, patch in write(patch, to: &json) }
            }
        }
    }

    private enum Word {
        case word(StaticString)
        case text(String)
        case name(ElementID?)
        case number(Int)
        case none
    }

    private static func write(_ patch: Patch, to json: inout JSONWriter) {
        let words: [Word] =
            switch patch {
            case .insert(let element, let parent, let before):
                [.word("i"), .name(parent), .name(before), .text(HTMLWriter.html(of: element))]
            case .remove(let id): [.word("r"), .name(id)]
            case .move(let id, let parent, let before): [.word("m"), .name(parent), .name(id), .name(before)]
            case .text(let id, let text): [.word("t"), .name(id), .text(text)]
            case .attribute(let id, let name, let value):
                [
                    .word("a"), .name(id), .text(name),
                    value.flatMap { HTMLWriter.value(of: name, $0) }.map { .text($0) } ?? .none,
                ]
            case .value(let id, let value, let event): [.word("v"), .name(id), .text(value), .number(event)]
            case .focus(let id): [.word("f"), .name(id)]
            }
        json.array(words) { json, word in
            switch word {
            case .word(let word): json.plain(word)
            case .text(let text): json.string(text)
            case .name(let id?): json.string(HTMLWriter.name(of: id))
            case .number(let number): json.integer(Int64(number))
            case .name(nil), .none: json.null()
            }
        }
    }

    /// A message as the stream has it.
    static func event(_ identifier: String, _ data: [UInt8]) -> [UInt8] {
        Array("id: \(identifier)\ndata: ".utf8) + data + [10, 10]
    }
}
