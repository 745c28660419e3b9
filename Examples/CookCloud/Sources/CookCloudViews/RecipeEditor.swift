import CookCloudCore
import PhotosUI
import SwiftUI

/// Writes a new recipe, or changes one.
struct RecipeEditor: View {
    let shelf: Shelf
    private let original: Recipe?
    @Environment(Kitchen.self) private var kitchen
    @Environment(\.dismiss) private var dismiss
    @State private var title: String
    @State private var minutes: Int
    @State private var ingredients: String
    @State private var notes: String
    @State private var isSaving = false
    @State private var picked: PhotosPickerItem?
    /// A picture that is not saved yet.
    @State private var photo: PickedPhoto?
    @State private var removesPhoto = false
    @State private var isTargeted = false

    init(shelf: Shelf, recipe: Recipe? = nil) {
        self.shelf = shelf
        original = recipe
        _title = State(initialValue: recipe?.title ?? "")
        _minutes = State(initialValue: recipe?.minutes ?? 30)
        _ingredients = State(initialValue: recipe?.ingredients.joined(separator: "\n") ?? "")
        _notes = State(initialValue: recipe?.notes ?? "")
    }

    /// The picture that the recipe will have.
    private var shownPhoto: URL? { photo?.file ?? (removesPhoto ? nil : original?.photo) }

    var body: some View {
        NavigationStack {
            Form {
                TextField("Title", text: $title)
                Stepper("\(minutes) minutes", value: $minutes, in: 5...600, step: 5)
                Section("Photo") { photoRow }
                Section("Ingredients") { TextEditor(text: $ingredients).frame(minHeight: 120) }
                Section("Instructions") { TextEditor(text: $notes).frame(minHeight: 120) }
            }
            .navigationTitle(original == nil ? "New Recipe" : "Edit Recipe")
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                ToolbarItem(placement: .confirmationAction) {
                    Button("Save") { save() }.disabled(title.isEmpty || isSaving)
                }
            }
        }
        .onChange(of: picked) { _, item in
            guard let item else { return }
            Task { await take { try await item.loadTransferable(type: PickedPhoto.self) } }
        }
        .onDisappear { photo?.discard() }
    }

    @ViewBuilder private var photoRow: some View {
        VStack(alignment: .leading, spacing: 8) {
            if let shownPhoto { RecipePicture(photo: shownPhoto, title: title, size: 120) }
            if let part = kitchen.sentPart, isSaving {
                ProgressView("Sending the photo", value: part)
            } else {
                HStack {
                    PhotosPicker(selection: $picked, matching: .images) {
                        Label(shownPhoto == nil ? "Choose a photo" : "Choose another", systemImage: "photo")
                    }
                    if shownPhoto != nil {
                        Button("Remove photo", role: .destructive) { remove() }
                    }
                }
                Text(isTargeted ? "Let go to use this photo" : "Or drop one here")
                    .font(.caption).foregroundStyle(.secondary)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .dropDestination(for: PickedPhoto.self) { photos, _ in
            Task { await take { photos.first } }
            // Those beyond the first are not wanted.
            photos.dropFirst().forEach { $0.discard() }
            return true
        } isTargeted: {
            isTargeted = $0
        }
    }

    private func take(_ load: () async throws -> PickedPhoto?) async {
        do {
            guard let loaded = try await load() else { return }
            photo?.discard()
            photo = loaded
            removesPhoto = false
        } catch {
            kitchen.problem = Kitchen.words(for: error)
        }
        picked = nil
    }

    private func remove() {
        photo?.discard()
        photo = nil
        removesPhoto = true
    }

    private func save() {
        var recipe = original ?? Recipe(title: title)
        recipe.title = title
        recipe.minutes = minutes
        recipe.ingredients = ingredients.split(separator: "\n").map(String.init)
        recipe.notes = notes
        let change = photo.map { PhotoChange.set($0.file) } ?? (removesPhoto ? .remove : .keep)
        isSaving = true
        Task {
            // What could not be saved stays on the screen, so that nothing that was written is lost.
            if await kitchen.save(recipe, on: shelf, photo: change) { dismiss() }
            isSaving = false
        }
    }
}
