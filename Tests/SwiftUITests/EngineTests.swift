import SwiftUI
import SwiftUITesting
import Testing

/// How values reach views, and when views are asked again.
@MainActor
@Suite struct `Views and what they read` {
    @Observable final class Model {
        var name = "a"
        var other = 0
    }

    struct Reader: View {
        @Environment(Model.self) private var model
        var body: some View { Text("Reads \(model.name)") }
    }

    @Test func `a view is asked again for what it read, and for nothing else`() async throws {
        let model = Model()
        let screen = Screen { Reader().environment(model) }
        let before = screen.evaluations
        model.other += 1
        try await screen.settle()
        #expect(screen.evaluations == before)
        model.name = "b"
        try await screen.expect(.text, "Reads b")
        screen.close()
    }

    @Test func `several changes of one stretch make one update`() async throws {
        let model = Model()
        let screen = Screen { Reader().environment(model) }
        let before = screen.evaluations
        for letter in ["c", "d", "e"] { model.name = letter }
        try await screen.expect(.text, "Reads e")
        #expect(screen.evaluations - before <= 2)
        screen.close()
    }

    struct Halves: DynamicProperty {
        @State private var count = 4
        @Environment(\.isEnabled) private var isEnabled
        private(set) var half = 0
        mutating func update() { half = isEnabled ? count / 2 : -1 }
        func double() { count *= 2 }
    }

    struct HalfView: View {
        var halves = Halves()
        var body: some View { Button("Half \(halves.half)") { halves.double() } }
    }

    @Test func `a property made of properties has them connected before it is updated`() async throws {
        let screen = Screen { HalfView() }
        try await screen.tap(.button, "Half 2")
        try await screen.expect(.button, "Half 4")
        screen.close()
        let disabled = Screen { HalfView().disabled(true) }
        #expect(disabled.find(.button, "Half -1")?.isEnabled == false)
        disabled.close()
    }

    struct Editor: View {
        @Binding var text: String
        var body: some View { TextField("Name", text: $text) }
    }

    struct Shouting: View {
        @State private var text = ""
        var body: some View {
            Editor(text: Binding(get: { text.uppercased() }, set: { text = $0 }))
            Text("<\(text)>")
        }
    }

    @Test func `a field shows what its binding says, whatever was typed`() async throws {
        let screen = Screen { Shouting() }
        try await screen.type("abc", into: "Name")
        #expect(screen.find(.textField, "Name")?.value == "ABC")
        #expect(screen.find(.text, "<abc>") != nil)
        screen.close()
    }

    struct Deaf: View {
        @State private var text = "fixed"
        var body: some View { TextField("Name", text: Binding(get: { text }, set: { _ in })) }
    }

    @Test func `a binding that ignores what was typed has its own text shown again`() async throws {
        let screen = Screen { Deaf() }
        try await screen.type("x", into: "Name")
        #expect(screen.find(.textField, "Name")?.value == "fixed")
        screen.close()
    }

    struct Pair: View {
        @State private var texts = ["first", "second"]
        @State private var index = 0
        var body: some View {
            Button("Next") { index = 1 }
            Editor(text: $texts[index])
        }
    }

    @Test func `a binding to another place is another binding`() async throws {
        let screen = Screen { Pair() }
        #expect(screen.find(.textField, "Name")?.value == "first")
        try await screen.tap(.button, "Next")
        try await screen.expect(.textField, "Name")
        #expect(screen.find(.textField, "Name")?.value == "second")
        screen.close()
    }

    struct Tinted: ViewModifier {
        @State private var isOn = false
        let name: String
        func body(content: Content) -> some View {
            HStack {
                content
                Button(isOn ? "\(name) on" : "\(name) off") { isOn.toggle() }
            }
        }
    }

    @Test func `a modifier has a state of its own`() async throws {
        let screen = Screen { Text("x").modifier(Tinted(name: "a")).modifier(Tinted(name: "b")) }
        try await screen.tap(.button, "a off")
        #expect(screen.find(.button, "a on") != nil && screen.find(.button, "b off") != nil)
        screen.close()
    }

    final class Log {
        var lines: [String] = []
    }

    struct Lives: View {
        let log: Log
        @State private var number = 0
        @State private var isThere = true
        var body: some View {
            Button("Count") { number += 1 }
            Button("Hide") { isThere = false }
            if isThere {
                Text("Here")
                    .onAppear { log.lines.append("appears") }
                    .onDisappear { log.lines.append("disappears") }
                    .task(id: number) {
                        let mine = number
                        log.lines.append("task \(mine)")
                        try? await Task.sleep(for: .seconds(3600))
                        log.lines.append("cancelled \(mine)")
                    }
                    .onChange(of: number) { old, new in log.lines.append("from \(old) to \(new)") }
            }
        }
    }

    @Test func `what lives with a view begins and ends with it, in order`() async throws {
        let log = Log()
        let screen = Screen { Lives(log: log) }
        try await screen.wait(for: "the task") { log.lines.contains("task 0") ? true : nil }
        try await screen.tap(.button, "Count")
        try await screen.wait(for: "the next task") { log.lines.contains("task 1") ? true : nil }
        try await screen.tap(.button, "Hide")
        try await screen.wait(for: "the end of the task") { log.lines.contains("cancelled 1") ? true : nil }
        #expect(log.lines.first == "appears")
        #expect(
            Set(log.lines) == [
                "appears", "task 0", "from 0 to 1", "cancelled 0", "task 1", "disappears", "cancelled 1",
            ])
        screen.close()
    }

    struct Deep: View {
        let depth: Int
        var body: some View {
            if depth > 0 { AnyView(Deep(depth: depth - 1)) } else { Text("bottom") }
        }
    }

    @Test func `views lie a hundred deep`() throws {
        let screen = Screen { Deep(depth: 100) }
        #expect(screen.find(.text, "bottom") != nil)
        screen.close()
    }

    @Test func `a window that is closed leaves nothing behind`() async throws {
        weak var gone: Model?
        do {
            let model = Model()
            gone = model
            let screen = Screen { Reader().environment(model) }
            #expect(screen.find(.text, "Reads a") != nil)
            screen.close()
        }
        for _ in 0..<20 where gone != nil { await Task.yield() }
        #expect(gone == nil)
    }

    @Test func `state may be set from any thread`() async throws {
        let screen = Screen { Threads() }
        try await screen.expect(.text, "1000")
        screen.close()
    }

    struct Threads: View {
        @State private var number = 0
        var body: some View {
            Text("\(number)")
                .task {
                    let numbers = $number
                    await Task.detached { for value in 1...1000 { numbers.wrappedValue = value } }.value
                }
        }
    }
}
