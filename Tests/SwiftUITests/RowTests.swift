import SwiftUI
import SwiftUITesting
import Testing

@testable import ViewGraph

/// Rows of long lists keep what they show, and few nodes.
@MainActor
@Suite struct `A row that only shows what it is given` {
    @Observable final class Shelf {
        var titles = (0..<50).map { "Recipe \($0)" }
        var unit = "min"
        var isLarge = false
    }

    struct Row: View {
        let title: String

        var body: some View {
            HStack {
                Image(systemName: "book").padding()
                VStack {
                    Text(title).lineLimit(1)
                    Text("well known").foregroundStyle(.secondary)
                }
            }
            .frame(height: 40)
        }
    }

    struct ShelfView: View {
        let shelf: Shelf

        var body: some View {
            List { ForEach(Array(shelf.titles.enumerated()), id: \.offset) { Row(title: $1) } }
                .font(shelf.isLarge ? .title : .body)
        }
    }

    private func patches(of screen: Screen, _ change: () -> Void) async throws -> [Patch] {
        var all: [Patch] = []
        screen.onPatches = { all += $0 }
        change()
        for _ in 0..<3 { await Task.yield() }
        try await screen.settle()
        screen.onPatches = nil
        return all
    }

    @Test func `has one node`() {
        let screen = Screen { ShelfView(shelf: Shelf()) }
        #expect(screen.nodeCount < 50 + 20, "\(screen.nodeCount) nodes for 50 rows")
        screen.close()
    }

    @Test func `is changed where it differs, by the elements that it had`() async throws {
        let shelf = Shelf()
        let screen = Screen { ShelfView(shelf: shelf) }
        let before = try #require(screen.find(.text, "Recipe 7")?.element.id)
        for title in ["Soup", "Better soup"] {
            let patches = try await patches(of: screen) { shelf.titles[7] = title }
            guard case .text(let id, let text)? = patches.first, patches.count == 1 else {
                Issue.record("\(patches)")
                return
            }
            #expect(id == before && text == title)
        }
        #expect(screen.nodeCount < 50 + 20, "it is let go again")
        screen.close()
    }

    @Test func `hears of a changed environment`() async throws {
        let shelf = Shelf()
        let screen = Screen { ShelfView(shelf: shelf) }
        _ = try await patches(of: screen) { shelf.isLarge = true }
        let text = try #require(screen.find(.text, "Recipe 7"))
        #expect(text.element["class"]?.contains("title") == true, "\(text.element.attributes)")
        screen.close()
    }

    struct ReadingRow: View {
        let title: String
        let shelf: Shelf
        @State private var count = 0

        var body: some View {
            Text("\(title), \(shelf.unit)")
            Button("\(title) \(count)") { count += 1 }
            Picker("Size of \(title)", selection: .constant(1)) {
                Text("small").tag(0)
                Text("large").tag(1)
            }
        }
    }

    @Test func `keeps what it reads and what it owns`() async throws {
        let shelf = Shelf()
        let screen = Screen {
            List { ForEach(shelf.titles.prefix(3), id: \.self) { ReadingRow(title: $0, shelf: shelf) } }
        }
        shelf.unit = "hours"
        try await screen.expect(.text, "Recipe 1, hours")
        try await screen.tap(.button, "Recipe 1 0")
        try await screen.tap(.button, "Recipe 1 1")
        shelf.unit = "days"
        try await screen.expect(.text, "Recipe 1, days")
        #expect(screen.find(.button, "Recipe 1 2") != nil)
        // What the app does not take comes back.
        try await screen.choose("small", in: "Size of Recipe 1")
        try await screen.settle()
        #expect(screen.find(.comboBox, "Size of Recipe 1")?.value == "large")
        screen.close()
    }

    struct Sections: View {
        let shelf: Shelf

        var body: some View {
            List {
                ForEach(["a", "b"], id: \.self) { letter in
                    Section(letter) { ForEach(shelf.titles, id: \.self) { Text("\(letter): \($0)") } }
                }
            }
        }
    }

    @Test func `is compared by itself in a section of a collection`() async throws {
        let shelf = Shelf()
        let screen = Screen { Sections(shelf: shelf) }
        let patches = try await patches(of: screen) { shelf.titles.remove(at: 3) }
        #expect(patches.count == 2, "a row of each section goes: \(patches)")
        #expect(screen.find(.text, "b: Recipe 49") != nil)
        screen.close()
    }

    struct Tabs: View {
        var body: some View {
            TabView {
                Text("first").tabItem { Label("First", systemImage: "book") }
                List { ForEach(0..<3) { number in NavigationLink(value: number) { Row(title: "Late \(number)") } } }
                    .tabItem { Label("Second", systemImage: "book") }
            }
        }
    }

    @Test func `is there when its tab is shown for the first time`() async throws {
        let screen = Screen { Tabs() }
        try await screen.tap(.tab, "Second")
        try await screen.expect(.link, containing: "Late 2")
        screen.close()
    }
}
