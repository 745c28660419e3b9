import CoreTransferable
import PhotosUI
import SwiftUI
import SwiftUITesting
import Testing
import UniformTypeIdentifiers
import ViewGraph

/// Files that people choose and drop.
@MainActor
@Suite struct `Files that are brought along` {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("brought-\(UUID().uuidString)")

    private func file(_ name: String, _ text: String) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url
    }

    private func end() { try? FileManager.default.removeItem(at: folder) }

    /// A note in a file, as an app would take it.
    private struct Note: Transferable, Equatable {
        let text: String

        static var transferRepresentation: some TransferRepresentation {
            FileRepresentation(importedContentType: .plainText) { received in
                Note(text: try String(contentsOf: received.file, encoding: .utf8))
            }
            DataRepresentation(importedContentType: .json) { data in
                Note(text: try JSONDecoder().decode([String].self, from: data).joined(separator: " "))
            }
        }
    }

    private struct DropView: View {
        @State private var notes: [String] = []
        @State private var isTargeted = false

        var body: some View {
            VStack {
                Text(isTargeted ? "Let go" : "Drop notes here")
                ForEach(notes, id: \.self) { Text($0) }
            }
            .dropDestination(for: Note.self) { items, place in
                notes += items.map { "\($0.text) at \(Int(place.x))" }
                return true
            } isTargeted: {
                isTargeted = $0
            }
        }
    }

    @Test func `become items by the first representation that takes them, and others are left out`() async throws {
        defer { end() }
        let screen = Screen { DropView() }
        let files = [
            try file("a.txt", "one"), try file("b.json", #"["two", "three"]"#), try file("c.png", "no note"),
            try file("d.json", "broken"),
        ]
        try await screen.bring(files, to: "Drop notes here")
        try await screen.expect(.text, "one at 0")
        try await screen.expect(.text, "two three at 0")
        try await screen.settle()
        #expect(screen.parts.map(\.name) == ["Drop notes here", "one at 0", "two three at 0"])
        screen.close()
    }

    @Test func `are told of while they are held over the view`() async throws {
        let screen = Screen { DropView() }
        try await screen.hold(over: "Drop notes here")
        try await screen.expect(.text, "Let go")
        try await screen.hold(over: "Let go", false)
        try await screen.expect(.text, "Drop notes here")
        screen.close()
    }

    private struct PickView: View {
        @State private var one: PhotosPickerItem?
        @State private var several: [PhotosPickerItem] = []
        @State private var bytes: [Int] = []

        var body: some View {
            VStack {
                PhotosPicker("One", selection: $one, matching: .images)
                PhotosPicker(
                    "Several", selection: $several, maxSelectionCount: 2, matching: .any(of: [.images, .videos]))
                Text("\(several.count) picked, bytes \(bytes.map(String.init).joined(separator: " "))")
            }
            .onChange(of: one) { _, item in
                Task { if let data = try await item?.loadTransferable(type: Data.self) { bytes.append(data.count) } }
            }
        }
    }

    @Test func `are picked as photos, no other files and not more than are wanted`() async throws {
        defer { end() }
        let screen = Screen { PickView() }
        let one = try #require(screen.find(.button, "One"))
        #expect(one.element["data-accept"] == "image/*" && one.element["data-multiple"] == nil)
        let several = try #require(screen.find(.button, "Several"))
        #expect(several.element["data-accept"] == "image/*,video/*" && several.element["data-multiple"] != nil)
        try await screen.bring([try file("a.txt", "text")], to: "One")
        #expect(screen.find(.text, "0 picked, bytes ") != nil)
        try await screen.bring([try file("a.png", "12345")], to: "One")
        try await screen.expect(.text, "0 picked, bytes 5")
        let three = [try file("b.jpg", ""), try file("c.mov", ""), try file("d.gif", "")]
        try await screen.bring(three, to: "Several")
        try await screen.expect(.text, "2 picked, bytes 5")
        screen.close()
    }

    private struct ImportView: View {
        @State private var isImporting = false
        @State private var text = "nothing"

        var body: some View {
            Button("Import") { isImporting = true }
                .fileImporter(isPresented: $isImporting, allowedContentTypes: [.plainText, .pdf]) { result in
                    do {
                        let url = try result.get()
                        guard url.startAccessingSecurityScopedResource() else {
                            throw CocoaError(.fileReadNoPermission)
                        }
                        defer { url.stopAccessingSecurityScopedResource() }
                        text = try String(contentsOf: url, encoding: .utf8)
                    } catch {
                        text = "\(error)"
                    }
                }
            Text(text)
        }
    }

    @Test func `are asked for by a dialogue, which can be left`() async throws {
        defer { end() }
        let screen = Screen { ImportView() }
        try await screen.tap(.button, "Import")
        let chooser = try await screen.expect(.button, "File…")
        #expect(chooser.element["data-accept"] == "text/plain,.txt,.text,application/pdf,.pdf")
        try await screen.tap(.button, "Cancel")
        try await screen.expect(.text, "nothing")
        try await screen.tap(.button, "Import")
        try await screen.bring([try file("a.png", "no text")], to: "File…")
        #expect(screen.find(.dialog) != nil, "what was not asked for is not taken")
        try await screen.bring([try file("a.txt", "hello")], to: "File…")
        try await screen.expectNo(.dialog)
        try await screen.expect(.text, "hello")
        screen.close()
    }

    @Test func `are not taken where a view is disabled`() async throws {
        defer { end() }
        let screen = Screen {
            VStack {
                PickView()
                DropView()
            }
            .disabled(true)
        }
        #expect(screen.find(.button, "One")?.isEnabled == false)
        await #expect(throws: ScreenError.self) {
            try await screen.bring([], to: "Drop notes here", within: .milliseconds(1))
        }
        screen.close()
    }
}

@Suite struct `Types of content` {
    @Test func `are known by extension, MIME type and identifier, in any case`() throws {
        #expect(UTType(filenameExtension: "JPG") == .jpeg)
        #expect(UTType(mimeType: "Image/PNG; q=1") == .png)
        #expect(UTType("public.json") == .json && UTType("com.example.nothing") == nil)
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg" && UTType.jpeg.preferredMIMEType == "image/jpeg")
        #expect(UTType(filenameExtension: "") == nil && UTType(mimeType: "png") == nil)
    }

    @Test func `conform to more general ones`() throws {
        #expect(UTType.png.conforms(to: .image) && UTType.png.conforms(to: .data) && UTType.png.conforms(to: .content))
        #expect(UTType.png.conforms(to: .png) && !UTType.png.isSubtype(of: .png))
        #expect(!UTType.png.conforms(to: .text) && UTType.image.isSupertype(of: .heic))
        #expect(UTType.svg.conforms(to: .xml) && UTType.svg.conforms(to: .image))
        #expect(UTType(filenameExtension: "png", conformingTo: .text) == nil)
    }

    @Test func `are made for what nobody declared`() throws {
        let type = try #require(UTType(filenameExtension: "recipe"))
        #expect(type.isDynamic && type.conforms(to: .data) && !type.conforms(to: .image))
        #expect(type.preferredFilenameExtension == "recipe" && type.preferredMIMEType == nil)
        #expect(try JSONDecoder().decode(UTType.self, from: JSONEncoder().encode(type)) == type)
    }
}
