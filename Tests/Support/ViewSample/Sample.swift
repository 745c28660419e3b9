import SwiftUI

/// An app to see the looks of everything by, and for the suites that drive a browser.
@main
struct SampleApp: App {
    @State private var pantry = Pantry()

    var body: some Scene {
        WindowGroup {
            TabView {
                NotesTab().tabItem { Label("Recipes", systemImage: "book") }
                ControlsTab().tabItem { Label("Controls", systemImage: "slider.horizontal.3") }
                EmptyTab().tabItem { Label("Shared", systemImage: "person.2") }
            }
            .environment(pantry)
        }
    }
}

@MainActor @Observable
final class Pantry {
    struct Dish: Identifiable, Hashable {
        let id = UUID()
        var title: String
        var text: String
        var date: Date
        var isFavourite = false
    }

    var dishes: [Dish] = [
        Dish(title: "Lemon tart", text: "Shortcrust, four lemons, patience.", date: .now.addingTimeInterval(-420)),
        Dish(
            title: "Grandmother’s bread with seeds, slowly risen over night <b>in the cellar</b>",
            text: "Rye & wheat, half and half.", date: .now.addingTimeInterval(-86_400 * 3), isFavourite: true),
        Dish(title: "Onion soup", text: "Brown the onions for an hour.", date: .now.addingTimeInterval(-3600 * 7)),
        Dish(title: "Pickled beets", text: "Vinegar, cloves, bay.", date: .now.addingTimeInterval(-86_400 * 40)),
    ]

    func refresh() async { try? await Task.sleep(for: .milliseconds(800)) }
}

struct NotesTab: View {
    @Environment(Pantry.self) private var pantry
    @State private var isAdding = false
    @State private var search = ""

    var body: some View {
        NavigationStack {
            List {
                Section("Private") {
                    ForEach(shown) { dish in
                        NavigationLink(value: dish) { DishRow(dish: dish) }
                    }
                    .onDelete { offsets in pantry.dishes.remove(atOffsets: offsets) }
                }
                Section {
                    LabeledContent("Stored", value: "\(pantry.dishes.count) recipes")
                } footer: {
                    Text("Recipes are private until you share them.")
                }
            }
            .navigationTitle("Recipes")
            .navigationDestination(for: Pantry.Dish.self) { DishPage(dish: $0) }
            .refreshable { await pantry.refresh() }
            .searchable(text: $search)
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button("New recipe", systemImage: "plus") { isAdding = true }
                }
            }
            .sheet(isPresented: $isAdding) { NewDish() }
        }
    }

    private var shown: [Pantry.Dish] {
        search.isEmpty ? pantry.dishes : pantry.dishes.filter { $0.title.localizedCaseInsensitiveContains(search) }
    }
}

struct DishRow: View {
    let dish: Pantry.Dish

    var body: some View {
        HStack {
            VStack(alignment: .leading, spacing: 3) {
                Text(dish.title).font(.headline)
                Text(dish.text).font(.subheadline).foregroundStyle(.secondary)
                Text(dish.date, style: .relative).font(.caption).foregroundStyle(.secondary)
            }
            Spacer()
            if dish.isFavourite { Image(systemName: "star.fill").foregroundStyle(.orange) }
        }
    }
}

struct DishPage: View {
    let dish: Pantry.Dish
    @State private var isAsking = false
    @State private var isChoosing = false
    @Environment(\.dismiss) private var dismiss
    @Environment(Pantry.self) private var pantry

    var body: some View {
        List {
            Section("Recipe") {
                Text(dish.text)
                Text(dish.date, style: .date).foregroundStyle(.secondary)
            }
            Section {
                Button("Share…", systemImage: "square.and.arrow.up") { isChoosing = true }
                Button("Delete recipe", role: .destructive) { isAsking = true }
            }
        }
        .navigationTitle(dish.title)
        .navigationBarTitleDisplayMode(.inline)
        .alert("Delete this recipe?", isPresented: $isAsking) {
            Button("Delete", role: .destructive) {
                pantry.dishes.removeAll { $0.id == dish.id }
                dismiss()
            }
            Button("Cancel", role: .cancel) {}
        } message: {
            Text("It disappears from all your devices.")
        }
        .confirmationDialog("Share with", isPresented: $isChoosing, titleVisibility: .visible) {
            Button("Everyone") {}
            Button("People I invite") {}
        }
    }
}

struct NewDish: View {
    @Environment(Pantry.self) private var pantry
    @Environment(\.dismiss) private var dismiss
    @State private var title = ""
    @State private var text = ""
    @State private var isFavourite = false

    var body: some View {
        NavigationStack {
            Form {
                Section("Title") { TextField("Title", text: $title) }
                Section("Instructions") { TextEditor(text: $text) }
                Section { Toggle("Favourite", isOn: $isFavourite) }
            }
            .navigationTitle("New Recipe")
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                ToolbarItem(placement: .confirmationAction) {
                    Button("Save") {
                        pantry.dishes.insert(
                            Pantry.Dish(title: title, text: text, date: .now, isFavourite: isFavourite), at: 0)
                        dismiss()
                    }
                    .disabled(title.isEmpty)
                }
            }
        }
    }
}

struct ControlsTab: View {
    enum Unit: String, CaseIterable, Identifiable {
        case metric, imperial, cups
        var id: String { rawValue }
    }

    @State private var isOn = true
    @State private var isOff = false
    @State private var unit = Unit.metric
    @State private var persons = 4
    @State private var date = Date(timeIntervalSince1970: 1_750_000_000)
    @State private var shout = ""
    @State private var secret = ""

    var body: some View {
        NavigationStack {
            Form {
                Section("Kitchen") {
                    Toggle("Notify me", isOn: $isOn)
                    Toggle("Only on Wi-Fi", isOn: $isOff)
                    Picker("Units", selection: $unit) {
                        ForEach(Unit.allCases) { Text($0.rawValue.capitalized).tag($0) }
                    }
                    Stepper("Persons: \(persons)", value: $persons, in: 1...12)
                    DatePicker("Dinner", selection: $date, displayedComponents: .date)
                }
                Section("Units") {
                    Picker("Units", selection: $unit) {
                        ForEach(Unit.allCases) { Text($0.rawValue.capitalized).tag($0) }
                    }
                    .pickerStyle(.segmented)
                }
                Section("Fields") {
                    TextField("Shout", text: Binding(get: { shout }, set: { shout = $0.uppercased() }))
                    SecureField("Password", text: $secret)
                }
                Section("Buttons") {
                    HStack(spacing: 12) {
                        Button("Bordered") {}.buttonStyle(.bordered)
                        Button("Prominent") {}.buttonStyle(.borderedProminent)
                        Spacer()
                    }
                    Button("Disabled") {}.disabled(true)
                    Button("Think for two seconds") { Thread.sleep(forTimeInterval: 2) }
                }
                Section("Progress") {
                    ProgressView("Uploading", value: 0.4)
                    ProgressView("Waiting")
                }
                Section("Type") {
                    VStack(alignment: .leading, spacing: 6) {
                        Text("Large title").font(.largeTitle)
                        Text("Title").font(.title)
                        Text("Headline").font(.headline)
                        Text("Body, with a second sentence that is long enough to wrap on a phone.")
                        Text("Footnote").font(.footnote).foregroundStyle(.secondary)
                        HStack {
                            Text("red").foregroundStyle(.red)
                            Text("orange").foregroundStyle(.orange)
                            Text("green").foregroundStyle(.green)
                            Text("indigo").foregroundStyle(.indigo)
                            Text("teal").foregroundStyle(.teal)
                        }
                    }
                }
            }
            .navigationTitle("Controls")
        }
    }
}

struct EmptyTab: View {
    var body: some View {
        NavigationStack {
            ContentUnavailableView(
                "Nothing shared yet", systemImage: "person.2",
                description: Text("Recipes that friends share with you appear here.")
            )
            .navigationTitle("Shared")
        }
    }
}
