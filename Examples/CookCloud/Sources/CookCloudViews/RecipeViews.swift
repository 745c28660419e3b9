import CloudKit
import CookCloudCore
import SwiftUI

/// One recipe, as long as it is there.
struct RecipePage: View {
    let shelf: Shelf
    let id: String
    @Environment(Kitchen.self) private var kitchen
    @State private var isEditing = false
    @State private var isSharing = false

    private var recipe: Recipe? { kitchen.recipes(on: shelf).first { $0.id == id } }

    var body: some View {
        if let recipe {
            Form {
                if recipe.photo != nil {
                    Section { RecipePicture(photo: recipe.photo, title: recipe.title, size: 240) }
                }
                Section("Ingredients") {
                    if recipe.ingredients.isEmpty { Text("None written down").foregroundStyle(.secondary) }
                    ForEach(Array(recipe.ingredients.enumerated()), id: \.offset) { _, line in Text(line) }
                }
                Section("Instructions") {
                    Text(recipe.notes.isEmpty ? "None written down" : recipe.notes)
                        .foregroundStyle(recipe.notes.isEmpty ? .secondary : .primary)
                }
                Section { LabeledContent("Time", value: "\(recipe.minutes) min") }
            }
            .navigationTitle(recipe.title)
            .toolbar {
                ToolbarItemGroup(placement: .topBarTrailing) {
                    if shelf == .own {
                        Button("Share", systemImage: "square.and.arrow.up") { isSharing = true }
                    }
                    Button("Edit", systemImage: "pencil") { isEditing = true }
                }
            }
            .sheet(isPresented: $isEditing) { RecipeEditor(shelf: shelf, recipe: recipe) }
            .sheet(isPresented: $isSharing) { ShareRecipeView(recipe: recipe) }
        } else {
            ContentUnavailableView(
                "This recipe is gone", systemImage: "trash", description: Text("It was deleted, here or elsewhere."))
        }
    }
}

/// Shares a recipe for editing it together.
struct ShareRecipeView: UIViewControllerRepresentable {
    let recipe: Recipe
    @Environment(Kitchen.self) private var kitchen

    func makeUIViewController(context: Context) -> UICloudSharingController {
        let (recipe, cookbook) = (recipe, kitchen.store.cookbook)
        let controller = UICloudSharingController { _, completion in
            Task {
                do {
                    let (share, container) = try await cookbook.shareToEdit(recipe)
                    completion(share, container, nil)
                } catch {
                    completion(nil, nil, error)
                }
            }
        }
        controller.title = recipe.title
        return controller
    }

    func updateUIViewController(_ controller: UICloudSharingController, context: Context) {}
}
