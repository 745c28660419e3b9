import SwiftUI
import SwiftUITesting
import Testing

/// What lasts of a view while it is made again and again.
@MainActor
@Suite struct `State of a view` {
    struct Counter: View {
        let name: String
        @State private var count = 0

        var body: some View {
            Button("\(name) \(count)") { count += 1 }
        }
    }

    @Test func `is shown anew when it is set`() async throws {
        let screen = Screen { Counter(name: "Apples") }
        try await screen.tap(.button, "Apples 0")
        try await screen.tap(.button, "Apples 1")
        #expect(screen.find(.button, "Apples 2") != nil)
        screen.close()
    }

    struct Rows: View {
        @State private var names = ["a", "b", "c"]

        var body: some View {
            Button("Turn") { names.reverse() }
            List { ForEach(names, id: \.self) { Counter(name: $0) } }
        }
    }

    @Test func `of a row goes with the row`() async throws {
        let screen = Screen { Rows() }
        try await screen.tap(.button, "a 0")
        try await screen.tap(.button, "Turn")
        let buttons = screen.parts.filter { $0.role == .button }.map(\.name)
        #expect(buttons == ["Turn", "c 0", "b 0", "a 1"])
        screen.close()
    }

    struct Branches: View {
        @State private var isFirst = true

        var body: some View {
            Button("Other") { isFirst.toggle() }
            if isFirst { Counter(name: "x") } else { Counter(name: "x") }
        }
    }

    @Test func `of one branch is not the other's`() async throws {
        let screen = Screen { Branches() }
        try await screen.tap(.button, "x 0")
        try await screen.tap(.button, "Other")
        #expect(screen.find(.button, "x 0") != nil)
        try await screen.tap(.button, "Other")
        #expect(screen.find(.button, "x 0") != nil)
        screen.close()
    }
}
