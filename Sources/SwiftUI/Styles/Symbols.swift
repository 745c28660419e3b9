import Synchronization

/// The icons that stand for the symbols of the platform.
package enum Symbols {
    /// The icon of a symbol; a question mark for those that have none, told once each.
    static func icon(_ symbol: String) -> String {
        if let icon = table[symbol] { return icon }
        let isNew = unknown.withLock { $0.insert(symbol).inserted }
        if isNew { FileHandle.standardError.write(Data("no icon for the symbol '\(symbol)'\n".utf8)) }
        return "question"
    }

    private static let unknown = Mutex<Set<String>>([])

    /// All icons that may be asked for.
    package static var icons: Set<String> { Set(table.values).union(["question"]) }

    static let table: [String: String] = [
        "airplane": "airplane", "arrow.clockwise": "arrow-clockwise",
        "arrow.counterclockwise": "arrow-counterclockwise",
        "arrow.down": "arrow-down", "arrow.left": "arrow-left", "arrow.right": "arrow-right",
        "arrow.triangle.2.circlepath": "arrow-repeat", "arrow.up": "arrow-up", "bell": "bell", "bell.fill": "bell-fill",
        "bolt": "lightning", "bolt.fill": "lightning-fill", "book": "book", "book.fill": "book-fill",
        "bookmark": "bookmark", "bookmark.fill": "bookmark-fill", "calendar": "calendar", "camera": "camera",
        "camera.fill": "camera-fill", "chart.bar": "bar-chart", "chart.bar.fill": "bar-chart-fill",
        "checkmark": "check-lg",
        "checkmark.circle": "check-circle", "checkmark.circle.fill": "check-circle-fill",
        "chevron.down": "chevron-down",
        "chevron.left": "chevron-left", "chevron.right": "chevron-right", "chevron.up": "chevron-up",
        "circle": "circle",
        "circle.fill": "circle-fill", "clock": "clock", "clock.fill": "clock-fill", "cloud": "cloud",
        "cloud.fill": "cloud-fill", "doc": "file-earmark", "doc.on.doc": "files", "doc.text": "file-earmark-text",
        "drop": "droplet", "drop.fill": "droplet-fill", "ellipsis": "three-dots", "ellipsis.circle": "three-dots",
        "envelope": "envelope", "envelope.fill": "envelope-fill", "exclamationmark.circle": "exclamation-circle",
        "exclamationmark.icloud": "cloud-slash", "exclamationmark.triangle": "exclamation-triangle",
        "exclamationmark.triangle.fill": "exclamation-triangle-fill", "eye": "eye", "eye.slash": "eye-slash",
        "flag": "flag", "flag.fill": "flag-fill", "flame": "fire", "flame.fill": "fire", "folder": "folder",
        "folder.fill": "folder-fill", "fork.knife": "egg-fried", "gear": "gear", "gearshape": "gear",
        "gearshape.fill": "gear-fill", "globe": "globe", "hand.thumbsup": "hand-thumbs-up", "heart": "heart",
        "heart.fill": "heart-fill", "house": "house", "house.fill": "house-fill", "icloud": "cloud",
        "icloud.fill": "cloud-fill", "icloud.slash": "cloud-slash", "info.circle": "info-circle", "key": "key",
        "link": "link-45deg", "list.bullet": "list-ul", "location": "geo-alt", "lock": "lock", "lock.fill": "lock-fill",
        "magnifyingglass": "search", "map": "map", "mappin": "pin-map", "minus": "dash-lg",
        "minus.circle": "dash-circle", "moon": "moon", "moon.fill": "moon-fill", "moon.stars": "moon-stars",
        "paperplane": "send", "pause": "pause", "pause.fill": "pause-fill", "pawprint": "emoji-smile",
        "pencil": "pencil", "person": "person", "person.2": "people", "person.2.fill": "people-fill",
        "person.3": "people", "person.badge.plus": "person-plus", "person.circle": "person-circle",
        "person.crop.circle": "person-circle", "person.crop.circle.badge.plus": "person-plus",
        "person.crop.circle.badge.questionmark": "person-x", "person.fill": "person-fill", "photo": "image",
        "photo.on.rectangle": "images", "play": "play", "play.fill": "play-fill", "plus": "plus-lg",
        "plus.circle": "plus-circle", "plus.circle.fill": "plus-circle-fill", "questionmark": "question",
        "questionmark.circle": "question-circle", "share": "share", "slider.horizontal.3": "sliders",
        "square.and.arrow.down": "download", "square.and.arrow.up": "box-arrow-up",
        "square.and.pencil": "pencil-square",
        "star": "star", "star.fill": "star-fill", "stop": "stop", "stop.fill": "stop-fill", "sun.max": "sun",
        "sun.max.fill": "sun-fill", "tag": "tag", "timer": "stopwatch", "trash": "trash", "trash.fill": "trash-fill",
        "tray": "inbox", "tray.fill": "inbox-fill", "wifi": "wifi", "wifi.slash": "wifi-off", "xmark": "x-lg",
        "xmark.circle": "x-circle", "xmark.circle.fill": "x-circle-fill",
    ]
}
