/// A type of content: what a file or a piece of data holds.
///
/// Types conform to more general ones: `.png` to `.image`, that to `.data` and `.content`. Known are the types that apps of
/// documents and pictures name; for a filename extension or a MIME type that is not, there is a type of its own that conforms to
/// `.data`.
///
/// Source: Apple's documentation of Uniform Type Identifiers.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Such as `public.png`.
    public let identifier: String

    /// The type of an identifier; `nil` for one that is not known.
    public init?(_ identifier: String) {
        guard TypeTable.entries[identifier] != nil || identifier.hasPrefix(Self.dynamicPrefix) else { return nil }
        self.identifier = identifier
    }

    /// The type of files with an extension, without the dot, in any case.
    /// - Parameter supertype: What the type has to conform to.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let ending = filenameExtension.lowercased()
        guard !ending.isEmpty else { return nil }
        self.init(
            tag: ending, kind: "ext", known: TypeTable.byExtension[ending], conformingTo: supertype)
    }

    /// The type of a MIME type; parameters such as a charset are left out.
    /// - Parameter supertype: What the type has to conform to.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let name = mimeType.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        guard name.contains("/") else { return nil }
        self.init(tag: name, kind: "mime", known: TypeTable.byMIMEType[name], conformingTo: supertype)
    }

    private init?(tag: String, kind: String, known: String?, conformingTo supertype: UTType) {
        identifier = known ?? "\(Self.dynamicPrefix)\(kind).\(tag)"
        guard conforms(to: supertype) else { return nil }
    }

    init(known identifier: String) { self.identifier = identifier }

    private static let dynamicPrefix = "dyn."

    private var entry: TypeTable.Entry? { TypeTable.entries[identifier] }

    public var description: String { identifier }
    /// Whether the type was made for an extension or a MIME type that nobody declared.
    public var isDynamic: Bool { identifier.hasPrefix(Self.dynamicPrefix) }
    public var isDeclared: Bool { !isDynamic }
    public var isPublic: Bool { identifier.hasPrefix("public.") }

    /// The extension that files of the type usually have.
    public var preferredFilenameExtension: String? { entry?.extensions.first ?? dynamicTag("ext") }
    public var preferredMIMEType: String? { entry?.mimeTypes.first ?? dynamicTag("mime") }

    private func dynamicTag(_ kind: String) -> String? {
        let prefix = "\(Self.dynamicPrefix)\(kind)."
        return identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : nil
    }

    /// The types that this one conforms to, directly or by others.
    public var supertypes: Set<UTType> {
        guard let entry else { return [.data, .item] }
        var all: Set<UTType> = []
        for parent in entry.parents {
            let parent = UTType(known: parent)
            all.insert(parent)
            all.formUnion(parent.supertypes)
        }
        return all
    }

    /// Whether the type is the other one, or a special case of it.
    public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }
    /// As ``conforms(to:)``, without being the same.
    public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    /// What a browser's file chooser takes for the type: MIME types, or a pattern of them, and extensions.
    package var acceptWords: [String] {
        guard let entry else {
            return [dynamicTag("ext").map { "." + $0 }, dynamicTag("mime")].compactMap(\.self)
        }
        if let pattern = entry.pattern { return [pattern] }
        return entry.mimeTypes + entry.extensions.map { "." + $0 }
    }
}

extension UTType {
    public static let item = UTType(known: "public.item")
    public static let content = UTType(known: "public.content")
    public static let data = UTType(known: "public.data")
    public static let image = UTType(known: "public.image")
    public static let png = UTType(known: "public.png")
    public static let jpeg = UTType(known: "public.jpeg")
    public static let gif = UTType(known: "com.compuserve.gif")
    public static let webP = UTType(known: "org.webmproject.webp")
    public static let heic = UTType(known: "public.heic")
    public static let heif = UTType(known: "public.heif")
    public static let tiff = UTType(known: "public.tiff")
    public static let bmp = UTType(known: "com.microsoft.bmp")
    public static let svg = UTType(known: "public.svg-image")
    public static let rawImage = UTType(known: "public.camera-raw-image")
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    public static let movie = UTType(known: "public.movie")
    public static let video = UTType(known: "public.video")
    public static let audio = UTType(known: "public.audio")
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    public static let mp3 = UTType(known: "public.mp3")
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    public static let text = UTType(known: "public.text")
    public static let plainText = UTType(known: "public.plain-text")
    public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
    public static let html = UTType(known: "public.html")
    public static let xml = UTType(known: "public.xml")
    public static let json = UTType(known: "public.json")
    public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
    public static let rtf = UTType(known: "public.rtf")
    public static let pdf = UTType(known: "com.adobe.pdf")
    public static let archive = UTType(known: "public.archive")
    public static let zip = UTType(known: "public.zip-archive")
    public static let gzip = UTType(known: "org.gnu.gnu-zip-archive")
    public static let url = UTType(known: "public.url")
    public static let fileURL = UTType(known: "public.file-url")
}
