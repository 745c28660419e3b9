import CookCloudCore
public import SwiftUI

/// The whole app: a tab for each shelf.
public struct KitchenView: View {
    @Environment(Kitchen.self) private var kitchen

    public init() {}

    public var body: some View {
        TabView {
            ShelfView(shelf: .own).tabItem { Label("My Recipes", systemImage: "person.crop.circle") }
            ShelfView(shelf: .community).tabItem { Label("Community", systemImage: "globe") }
            ShelfView(shelf: .shared).tabItem { Label("Shared", systemImage: "person.2") }
        }
        .task { await kitchen.follow() }
        .alert(
            "That did not work",
            isPresented: Binding(get: { kitchen.problem != nil }, set: { if !$0 { kitchen.problem = nil } })
        ) {
            Button("OK", role: .cancel) {}
        } message: {
            Text(kitchen.problem ?? "")
        }
    }
}

/// The recipes of a shelf.
struct ShelfView: View {
    let shelf: Shelf
    @Environment(Kitchen.self) private var kitchen
    @State private var isAdding = false
    @State private var search = ""

    private var title: String {
        switch shelf {
        case .own: "My Recipes"
        case .community: "Community"
        case .shared: "Shared"
        }
    }

    private var recipes: [Recipe] {
        let all = kitchen.recipes(on: shelf)
        return search.isEmpty ? all : all.filter { $0.title.localizedCaseInsensitiveContains(search) }
    }

    var body: some View {
        NavigationStack {
            List {
                if kitchen.needsAccount, shelf != .community {
                    ContentUnavailableView(
                        "Nobody is signed in", systemImage: "person.crop.circle.badge.questionmark",
                        description: Text("Sign this device in, then your recipes come."))
                } else if recipes.isEmpty {
                    empty
                } else {
                    if let problem = kitchen.problem(on: shelf) {
                        Section {
                            Label(problem, systemImage: "exclamationmark.triangle").foregroundStyle(.secondary)
                        }
                    }
                    ForEach(recipes) { recipe in
                        NavigationLink(value: recipe.id) { RecipeRow(recipe: recipe) }
                    }
                    .onDelete { offsets in
                        let gone = offsets.map { recipes[$0] }
                        Task { for recipe in gone { await kitchen.delete(recipe, on: shelf) } }
                    }
                }
            }
            .navigationTitle(title)
            .searchable(text: $search, prompt: "Search recipes")
            .toolbar {
                if shelf != .shared { Button("New", systemImage: "plus") { isAdding = true } }
            }
            .sheet(isPresented: $isAdding) { RecipeEditor(shelf: shelf) }
            .navigationDestination(for: String.self) { id in
                RecipePage(shelf: shelf, id: id)
            }
            .refreshable { await kitchen.refresh() }
        }
    }

    @ViewBuilder private var empty: some View {
        if !search.isEmpty {
            ContentUnavailableView(
                "Nothing found", systemImage: "magnifyingglass",
                description: Text("No recipe here is called “\(search)”."))
        } else if !kitchen.isReady {
            ProgressView("Reading recipes…")
        } else if let problem = kitchen.problem(on: shelf) {
            ContentUnavailableView {
                Label("The recipes cannot be read", systemImage: "exclamationmark.triangle")
            } description: {
                Text(problem)
            } actions: {
                Button("Try again") { Task { await kitchen.refresh() } }
            }
        } else {
            switch shelf {
            case .own:
                ContentUnavailableView(
                    "No recipes yet", systemImage: "book", description: Text("Tap + to write down your first one."))
            case .community:
                ContentUnavailableView(
                    "Nobody has cooked yet", systemImage: "globe",
                    description: Text("What you add here everybody can read."))
            case .shared:
                ContentUnavailableView(
                    "Nothing is shared with you", systemImage: "person.2",
                    description: Text("Open the link of a recipe that somebody shares."))
            }
        }
    }
}

struct RecipeRow: View {
    let recipe: Recipe

    var body: some View {
        HStack(spacing: 12) {
            // The title beside it says all.
            RecipePicture(photo: recipe.photo, title: recipe.title, size: 44).accessibilityHidden(true)
            VStack(alignment: .leading, spacing: 2) {
                Text(recipe.title).font(.headline).lineLimit(2)
                Text("\(recipe.minutes) min · \(recipe.ingredients.count) ingredients")
                    .font(.caption).foregroundStyle(.secondary)
            }
        }
    }
}

/// The photo of a recipe, or an icon where it has none.
struct RecipePicture: View {
    let photo: URL?
    let title: String
    let size: CGFloat

    var body: some View {
        if let photo {
            AsyncImage(url: photo) {
                $0.resizable().scaledToFill()
            } placeholder: {
                ProgressView()
            }
            .frame(width: size, height: size).clipShape(RoundedRectangle(cornerRadius: 8))
            .accessibilityLabel("Photo of \(title)")
        } else {
            Image(systemName: "fork.knife").foregroundStyle(.secondary)
                .frame(width: size, height: size)
                .accessibilityHidden(true)
        }
    }
}
