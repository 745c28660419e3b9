/// The declared types.
enum TypeTable {
    struct Entry {
        /// The preferred one first.
        var extensions: [String]
        var mimeTypes: [String]
        var parents: [String]
        /// What stands for all of its subtypes in a file chooser.
        var pattern: String?
    }

    static let entries: [String: Entry] = [
        "public.item": entry(parents: [], pattern: "*/*"),
        "public.content": entry(parents: [], pattern: "*/*"),
        "public.data": entry(parents: ["public.item"], pattern: "*/*"),
        "public.url": entry(parents: ["public.data"]),
        "public.file-url": entry(parents: ["public.url"], pattern: "*/*"),
        // pictures
        "public.image": entry(parents: both, pattern: "image/*"),
        "public.png": entry("png", "image/png", parents: image),
        "public.jpeg": entry("jpeg jpg jpe", "image/jpeg image/jpg", parents: image),
        "com.compuserve.gif": entry("gif", "image/gif", parents: image),
        "org.webmproject.webp": entry("webp", "image/webp", parents: image),
        "public.heif": entry("heif", "image/heif", parents: image),
        "public.heic": entry("heic", "image/heic", parents: ["public.heif"]),
        "public.avif": entry("avif", "image/avif", parents: ["public.heif"]),
        "public.tiff": entry("tiff tif", "image/tiff", parents: image),
        "com.microsoft.bmp": entry("bmp", "image/bmp", parents: image),
        "public.svg-image": entry("svg", "image/svg+xml", parents: ["public.image", "public.xml"]),
        "public.camera-raw-image": entry(parents: image),
        "com.adobe.raw-image": entry("dng", "image/x-adobe-dng", parents: ["public.camera-raw-image"]),
        // sound and film
        "public.audiovisual-content": entry(parents: both),
        "public.movie": entry(parents: ["public.audiovisual-content"], pattern: "video/*"),
        "public.video": entry(parents: ["public.movie"], pattern: "video/*"),
        "public.audio": entry(parents: ["public.audiovisual-content"], pattern: "audio/*"),
        "public.mpeg-4": entry("mp4", "video/mp4", parents: ["public.movie"]),
        "com.apple.quicktime-movie": entry("mov qt", "video/quicktime", parents: ["public.movie"]),
        "org.webmproject.webm": entry("webm", "video/webm", parents: ["public.movie"]),
        "public.mp3": entry("mp3", "audio/mpeg audio/mp3", parents: ["public.audio"]),
        "public.mpeg-4-audio": entry("m4a", "audio/mp4 audio/x-m4a", parents: ["public.audio"]),
        "com.microsoft.waveform-audio": entry("wav", "audio/wav audio/x-wav", parents: ["public.audio"]),
        // text and documents
        "public.text": entry(parents: both, pattern: "text/*"),
        "public.plain-text": entry("txt text", "text/plain", parents: ["public.text"]),
        "public.utf8-plain-text": entry(parents: ["public.plain-text"]),
        "net.daringfireball.markdown": entry("md markdown", "text/markdown", parents: ["public.plain-text"]),
        "public.html": entry("html htm", "text/html", parents: ["public.text"]),
        "public.xml": entry("xml", "application/xml text/xml", parents: ["public.text"]),
        "public.json": entry("json", "application/json", parents: ["public.text"]),
        "public.comma-separated-values-text": entry("csv", "text/csv", parents: ["public.text"]),
        "public.rtf": entry("rtf", "text/rtf", parents: ["public.text"]),
        "com.adobe.pdf": entry("pdf", "application/pdf", parents: both),
        "public.archive": entry(parents: ["public.data"]),
        "public.zip-archive": entry("zip", "application/zip", parents: ["public.archive"]),
        "org.gnu.gnu-zip-archive": entry("gz", "application/gzip application/x-gzip", parents: ["public.archive"]),
    ]

    static let byExtension = index(\.extensions)
    static let byMIMEType = index(\.mimeTypes)

    private static let both = ["public.data", "public.content"]
    private static let image = ["public.image"]

    private static func entry(
        _ extensions: String = "", _ mimeTypes: String = "", parents: [String], pattern: String? = nil
    ) -> Entry {
        Entry(
            extensions: extensions.split(separator: " ").map(String.init),
            mimeTypes: mimeTypes.split(separator: " ").map(String.init), parents: parents, pattern: pattern)
    }

    private static func index(_ tags: KeyPath<Entry, [String]>) -> [String: String] {
        var index: [String: String] = [:]
        for (identifier, entry) in entries { for tag in entry[keyPath: tags] { index[tag] = identifier } }
        return index
    }
}
