import SwiftUI
import SwiftUITesting
import Testing
import ViewGraph

/// What is left of windows that were closed: nothing.
@MainActor
@Suite struct `A window that is closed` {
    /// What the app shares lives on with it; what belongs to a window must not.
    @Observable final class Recipes { var titles = (0..<5).map { "Recipe \($0)" } }

    /// One in the state of each row: as long as the row's node is there.
    @MainActor final class Living {
        static var count = 0
        init() { Self.count += 1 }
        isolated deinit { Self.count -= 1 }
    }

    struct Row: View {
        let title: String
        @State private var living = Living()
        @State private var isOpen = false

        var body: some View {
            // Reading it has it made, as long as the row is shown.
            let _ = living
            Toggle(title, isOn: $isOpen)
        }
    }

    struct Page: View {
        @Environment(Recipes.self) private var recipes
        @State private var isWriting = false
        @State private var text = ""

        var body: some View {
            TabView {
                NavigationStack {
                    List { ForEach(recipes.titles, id: \.self) { Row(title: $0) } }
                        .navigationTitle("Recipes")
                        .toolbar { Button("New") { isWriting = true } }
                        .sheet(isPresented: $isWriting) { TextField("Title", text: $text) }
                        .refreshable {}
                        .searchable(text: $text)
                }
                .tabItem { Label("Recipes", systemImage: "book") }
            }
            // One that lasts until it is cancelled.
            .task { for await _ in AsyncStream<Never>.makeStream().stream {} }
        }
    }

    private struct Weak {
        weak var graph: ViewGraph?
    }

    @Test func `leaves nothing, be it the thousandth`() async throws {
        let recipes = Recipes()
        let first = Screen { Page().environment(recipes) }
        #expect(Living.count == 5)
        var graphs: [Weak] = []
        for number in 0..<1000 {
            let screen = first.openWindow()
            graphs.append(Weak(graph: screen.graph))
            if number % 100 == 0 {
                #expect(Living.count >= 10)
                try await screen.tap(.button, "New")
                try await screen.type("Soup", into: "Title")
            }
            screen.close()
        }
        // Tasks that were cancelled, and updates that were due, still have to come to their ends.
        var turns = 0
        while Living.count > 5 || graphs.contains(where: { $0.graph != nil }), turns < 100_000 {
            await Task.yield()
            turns += 1
        }
        #expect(Living.count == 5)
        #expect(graphs.count { $0.graph != nil } == 0)
        recipes.titles.append("Soup")
        try await first.expect(.switch, "Soup")
        first.close()
    }
}
