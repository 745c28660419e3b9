import CloudKit

/// What this device knows of the recipes, kept across runs: for each zone its recipes and how far its changes were read.
///
/// Recipes and token are written together, so that neither is ahead of the other.
struct RecipeCache {
    struct Zone: Codable {
        /// An archived change token.
        var token: Data?
        var recipes: [Recipe.ID: Recipe] = [:]
    }

    private struct Content: Codable {
        /// The user record name of the account.
        var account: String?
        /// By the user who owns the zone; one's own under an empty name.
        var zones: [String: Zone] = [:]
    }

    private let folder: URL
    private var content = Content()

    /// The cache of the signed-in device in the user's folder for caches.
    static var standard: RecipeCache {
        let caches =
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return RecipeCache(folder: caches.appendingPathComponent("cookcloud/\(CloudDevice.current.deviceID)"))
    }

    /// A cache that cannot be read is as an empty one: everything is fetched again.
    init(folder: URL) {
        self.folder = folder
        guard let data = try? Data(contentsOf: file),
            let content = try? JSONDecoder().decode(Content.self, from: data)
        else { return }
        self.content = content
    }

    private var file: URL { folder.appendingPathComponent("recipes.json") }
    private var photos: URL { folder.appendingPathComponent("photos") }

    /// Whose recipes these are; nobody's as long as nobody was signed in.
    var account: String? { content.account }

    /// Says whose recipes these are. Those of another account are forgotten.
    mutating func use(account: String) throws {
        guard content.account != account else { return }
        try clear()
        content.account = account
        try write()
    }

    mutating func clear() throws {
        content = Content()
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    }

    var owners: [String] { content.zones.keys.filter { !$0.isEmpty }.sorted() }

    subscript(owner: String) -> Zone { content.zones[owner] ?? Zone() }

    mutating func set(_ zone: Zone?, of owner: String) throws {
        let before = content
        content.zones[owner] = zone
        do { try write() } catch {
            content = before
            throw error
        }
        for recipe in before.zones[owner]?.recipes.values ?? [:].values
        where zone?.recipes[recipe.id]?.photo != recipe.photo {
            // No recipe has it any more: one that stays takes room until the cache is cleared, and is never shown.
            if let photo = recipe.photo { try? FileManager.default.removeItem(at: photo) }
        }
    }

    /// Moves a fetched picture here, where it stays as long as the recipe has it.
    func keep(_ fetched: URL, of recipe: Recipe) throws -> URL {
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        let photo = photos.appendingPathComponent(UUID().uuidString)
        try FileManager.default.moveItem(at: fetched, to: photo)
        return photo
    }

    private func write() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try JSONEncoder().encode(content).write(to: file, options: .atomic)
    }
}
