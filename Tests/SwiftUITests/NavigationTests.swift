import SwiftUI
import SwiftUITesting
import Testing

/// Pages, tabs and sheets, as an app of several screens has them.
@MainActor
@Suite struct `Screens of an app` {
    struct Dish: Identifiable, Hashable {
        let id: Int
        var title: String
        var steps: [String] = []
    }

    @Observable final class Kitchen {
        var dishes = [Dish(id: 1, title: "Soup", steps: ["Boil"]), Dish(id: 2, title: "Bread", steps: ["Bake"])]
        var refreshes = 0
    }

    struct KitchenApp: View {
        let kitchen: Kitchen
        var body: some View {
            TabView {
                DishList().tabItem { Label("Dishes", systemImage: "fork.knife") }
                Settings().tabItem { Label("Settings", systemImage: "gear") }
            }
            .environment(kitchen)
        }
    }

    struct DishList: View {
        @Environment(Kitchen.self) private var kitchen
        @State private var isAdding = false

        var body: some View {
            NavigationStack {
                List {
                    ForEach(kitchen.dishes) { dish in
                        NavigationLink(value: dish) { Text(dish.title).font(.headline) }
                    }
                    .onDelete { kitchen.dishes.remove(at: $0.first ?? 0) }
                }
                .navigationTitle("Dishes")
                .toolbar { Button("New", systemImage: "plus") { isAdding = true } }
                .sheet(isPresented: $isAdding) { NewDish() }
                .navigationDestination(for: Dish.self) { DishPage(dish: $0) }
                .refreshable { await Task { @MainActor in kitchen.refreshes += 1 }.value }
            }
        }
    }

    struct DishPage: View {
        let dish: Dish
        @Environment(\.dismiss) private var dismiss
        var body: some View {
            Form {
                Section("Steps") { ForEach(dish.steps, id: \.self) { Text($0) } }
                Button("Done") { dismiss() }
            }
            .navigationTitle(dish.title)
        }
    }

    struct NewDish: View {
        @Environment(Kitchen.self) private var kitchen
        @Environment(\.dismiss) private var dismiss
        @State private var title = ""
        @State private var notes = ""

        var body: some View {
            NavigationStack {
                Form {
                    TextField("Title", text: $title)
                    Section("Notes") { TextEditor(text: $notes) }
                }
                .navigationTitle("New Dish")
                .toolbar {
                    ToolbarItem(placement: .topBarLeading) { Button("Cancel") { dismiss() } }
                    ToolbarItem(placement: .topBarTrailing) {
                        Button("Save") {
                            kitchen.dishes.append(Dish(id: 9, title: title, steps: [notes]))
                            dismiss()
                        }
                        .disabled(title.isEmpty)
                    }
                }
            }
        }
    }

    struct Settings: View {
        @State private var started = 0
        var body: some View { Text("Started \(started)").task { started += 1 } }
    }

    @Test func `a link opens its page, and its back button leaves it`() async throws {
        let screen = Screen { KitchenApp(kitchen: Kitchen()) }
        try await screen.tap(.link, "Soup")
        try await screen.expect(.heading, "Soup")
        #expect(screen.find(.link, "Bread") == nil, "the list is covered")
        #expect(screen.find(.text, "Boil") != nil)
        try await screen.tap(.button, "Back to Dishes")
        try await screen.expect(.link, "Bread")
        try await screen.tap(.link, "Bread")
        try await screen.tap(.button, "Done")
        try await screen.expect(.link, "Bread")
        try await screen.tap(.link, "Bread")
        try await screen.back()
        try await screen.expect(.link, "Bread")
        screen.close()
    }

    struct Nested: View {
        @State private var isOpen = false
        @State private var count = 0
        var body: some View {
            NavigationStack {
                NavigationLink("Go") {
                    Button("Count \(count)") { count += 1 }
                    Button("Open") { isOpen = true }
                        .sheet(isPresented: $isOpen) { Text("Sheet of a page") }
                }
            }
        }
    }

    @Test func `a page above the first changes and opens sheets as the first does`() async throws {
        let screen = Screen { Nested() }
        try await screen.tap(.link, "Go")
        try await screen.tap(.button, "Count 0")
        try await screen.expect(.button, "Count 1")
        try await screen.tap(.button, "Open")
        try await screen.expect(.text, "Sheet of a page")
        try await screen.dismiss()
        try await screen.expect(.button, "Open")
        screen.close()
    }

    @Test func `a sheet covers everything until it is closed`() async throws {
        let kitchen = Kitchen()
        let screen = Screen { KitchenApp(kitchen: kitchen) }
        try await screen.tap(.button, "New")
        #expect(screen.find(.button, "New") == nil)
        #expect(screen.find(.button, "Save")?.isEnabled == false)
        try await screen.type("Pie", into: "Title")
        try await screen.type("Crust", into: "Notes")
        #expect(screen.find(.button, "Save")?.isEnabled == true)
        try await screen.tap(.button, "Save")
        try await screen.expect(.link, "Pie")
        #expect(kitchen.dishes.last?.steps == ["Crust"])
        try await screen.tap(.button, "New")
        #expect(screen.find(.textField, "Title")?.value == "", "a sheet that is opened again begins anew")
        try await screen.dismiss()
        try await screen.expect(.button, "New")
        screen.close()
    }

    @Test func `opening a sheet visits nothing of the list`() async throws {
        let kitchen = Kitchen()
        kitchen.dishes = (0..<100).map { Dish(id: $0, title: "Dish \($0)") }
        let screen = Screen { KitchenApp(kitchen: kitchen) }
        let before = screen.evaluations
        try await screen.tap(.button, "New")
        #expect(screen.evaluations - before < 60)
        screen.close()
    }

    @Test func `one more row costs no visit of the others`() async throws {
        let kitchen = Kitchen()
        kitchen.dishes = (0..<90).map { Dish(id: $0, title: "Dish \($0)") }
        let screen = Screen { KitchenApp(kitchen: kitchen) }
        let before = screen.evaluations
        kitchen.dishes.insert(Dish(id: 100, title: "New one"), at: 0)
        try await screen.expect(.link, "New one")
        #expect(screen.evaluations - before < 20)
        screen.close()
    }

    @Test func `a tab is evaluated when it is first shown`() async throws {
        let screen = Screen { KitchenApp(kitchen: Kitchen()) }
        try await screen.settle()
        #expect(screen.find(.tab, "Dishes")?.isSelected == true)
        #expect(screen.outline.contains("Started") == false)
        try await screen.tap(.tab, "Settings")
        try await screen.expect(.text, "Started 1")
        try await screen.tap(.tab, "Dishes")
        try await screen.expect(.link, "Soup")
        try await screen.tap(.tab, "Settings")
        // What is shown while its page is shown begins again with it, as elsewhere.
        try await screen.expect(.text, "Started 2")
        screen.close()
    }

    @Test func `a row is deleted by its button`() async throws {
        let kitchen = Kitchen()
        let screen = Screen { KitchenApp(kitchen: kitchen) }
        try await screen.tap(.button, "Delete, Soup")
        try await screen.expectNo(.link, "Soup")
        #expect(kitchen.dishes.map(\.title) == ["Bread"])
        screen.close()
    }

    @Test func `a page is refreshed by its button, and says so`() async throws {
        let kitchen = Kitchen()
        let screen = Screen { KitchenApp(kitchen: kitchen) }
        try await screen.tap(.button, "Refresh")
        try await screen.expect(.status, "Refreshed")
        #expect(kitchen.refreshes == 1)
        screen.close()
    }

    @Test func `a long list shows more when its end comes into sight`() async throws {
        let kitchen = Kitchen()
        kitchen.dishes = (0..<250).map { Dish(id: $0, title: "Dish \($0)") }
        let screen = Screen { KitchenApp(kitchen: kitchen) }
        #expect(screen.parts.filter { $0.role == .link }.count == 100)
        try await screen.tap(.button, "Show more")
        #expect(screen.parts.filter { $0.role == .link }.count == 200)
        try await screen.tap(.button, "Show more")
        #expect(screen.parts.filter { $0.role == .link }.count == 250)
        #expect(screen.find(.button, "Show more") == nil)
        screen.close()
    }
}
