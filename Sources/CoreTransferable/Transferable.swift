public import Foundation
public import UniformTypeIdentifiers

/// A value that people bring along from elsewhere: by a file chooser, or by dropping files.
///
/// A type says in ``transferRepresentation`` how it is made from what comes. Giving values away, as for dragging out of an app, is
/// not here: representations only import.
///
/// Source: Apple's documentation of Core Transferable.
public protocol Transferable: SendableMetatype {
    associatedtype Representation: TransferRepresentation

    /// The ways in which a value comes; the first one that takes a file makes it.
    @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

extension Transferable {
    /// How a value is made from a file; `nil` where no representation takes it.
    package static func importer(of file: _TransferFile) -> (@Sendable () async throws -> Self)? {
        guard let importer = transferRepresentation._importer(of: file) else { return nil }
        return {
            // The builder takes no representation of another type, which the associated type cannot say.
            guard let item = try await importer() as? Self else { throw CocoaError(.featureUnsupported) }
            return item
        }
    }
}

/// A way in which values come.
public protocol TransferRepresentation<Item>: Sendable {
    associatedtype Item: Transferable
    associatedtype Body: TransferRepresentation

    /// What this way consists of.
    @TransferRepresentationBuilder<Item> var body: Body { get }

    /// How an item is made from a file; `nil` where no way takes it. Apps do not call or implement it.
    func _importer(of file: _TransferFile) -> (@Sendable () async throws -> Item)?
}

extension TransferRepresentation where Body == Never {
    public var body: Never { fatalError("\(Self.self) has no body") }
}

extension TransferRepresentation where Body.Item == Item {
    public func _importer(of file: _TransferFile) -> (@Sendable () async throws -> Item)? { body._importer(of: file) }
}

/// The body of a way that consists of no others; there is no value of it.
extension Never: Transferable, TransferRepresentation {
    public typealias Item = Never
    public typealias Body = Never
    public static var transferRepresentation: Never { fatalError("nothing is transferred as Never") }
    public func _importer(of file: _TransferFile) -> (@Sendable () async throws -> Never)? { nil }
}

/// A file that somebody brought along. It is there as long as the window that it was brought to.
public struct _TransferFile: Sendable, Hashable {
    public let url: URL
    /// By the name of the file.
    public let type: UTType

    public init(_ url: URL) {
        self.url = url
        type = UTType(filenameExtension: url.pathExtension) ?? .data
    }
}

/// A file that has come for an item.
public struct ReceivedTransferredFile: Sendable {
    /// Where it is. The system removes it later: an item that needs it takes a copy.
    public let file: URL
    /// Whether it is the person's own file, and no copy. Here it is always a copy.
    public let isOriginalFile: Bool
}

/// An item that comes as a file.
public struct FileRepresentation<Item: Transferable>: TransferRepresentation {
    private let type: UTType
    private let importing: @Sendable (ReceivedTransferredFile) async throws -> Item

    /// - Parameters:
    ///   - importedContentType: Files that conform to it are taken.
    ///   - shouldAttemptToOpenInPlace: Whether the person's own file is wanted; what comes is a copy all the same.
    public init(
        importedContentType: UTType, shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        type = importedContentType
        self.importing = importing
    }

    public typealias Body = Never

    public func _importer(of file: _TransferFile) -> (@Sendable () async throws -> Item)? {
        guard file.type.conforms(to: type) else { return nil }
        let importing = importing
        return { try await importing(ReceivedTransferredFile(file: file.url, isOriginalFile: false)) }
    }
}

/// An item that comes as bytes.
public struct DataRepresentation<Item: Transferable>: TransferRepresentation {
    private let type: UTType
    private let importing: @Sendable (Data) async throws -> Item

    /// - Parameter importedContentType: Files that conform to it are taken.
    public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {
        type = importedContentType
        self.importing = importing
    }

    public var body: FileRepresentation<Item> {
        let importing = importing
        return FileRepresentation(importedContentType: type) { try await importing(try Data(contentsOf: $0.file)) }
    }
}

/// An item that comes as the JSON of its coding.
public struct CodableRepresentation<Item: Transferable & Codable>: TransferRepresentation {
    private let type: UTType

    public init(for type: Item.Type = Item.self, contentType: UTType) { self.type = contentType }

    public var body: DataRepresentation<Item> {
        DataRepresentation(importedContentType: type) { try JSONDecoder().decode(Item.self, from: $0) }
    }
}

/// An item that comes as another one does.
public struct ProxyRepresentation<Item: Transferable, ProxyRepresentation: Transferable>: TransferRepresentation {
    private let importing: @Sendable (ProxyRepresentation) async throws -> Item

    public init(importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item) {
        self.importing = importing
    }

    public typealias Body = Never

    public func _importer(of file: _TransferFile) -> (@Sendable () async throws -> Item)? {
        guard let other = ProxyRepresentation.importer(of: file) else { return nil }
        let importing = importing
        return { try await importing(try await other()) }
    }
}
