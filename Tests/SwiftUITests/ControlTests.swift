import SwiftUI
import SwiftUITesting
import Testing

/// Controls, as a person uses them.
@MainActor
@Suite struct `Controls` {
    enum Size: String, CaseIterable, Hashable { case small, large }

    struct Order: View {
        @State private var isHot = false
        @State private var size = Size.small
        @State private var cups = 1
        @State private var name = ""
        @State private var isAsking = false
        @State private var sent = ""
        @FocusState private var isNaming: Bool

        var body: some View {
            Form {
                Toggle("Hot", isOn: $isHot)
                Picker("Size", selection: $size) { ForEach(Size.allCases, id: \.self) { Text($0.rawValue).tag($0) } }
                Stepper("Cups \(cups)", value: $cups, in: 1...3)
                TextField("Name", text: $name).focused($isNaming).onSubmit { sent = "by Enter" }
                Button("Name it") { isNaming = true }
                Button("Send", role: .destructive) { isAsking = true }
                Text("\(isHot ? "hot" : "cold") \(size.rawValue) \(cups) \(isNaming ? "naming" : "") \(sent)")
            }
            .alert("Send it?", isPresented: $isAsking) {
                Button("Send", role: .destructive) { sent = "by alert" }
                Button("Keep", role: .cancel) {}
            } message: {
                Text("It cannot be taken back.")
            }
        }
    }

    @Test func `a switch, a picker and a stepper set their values`() async throws {
        let screen = Screen { Order() }
        try await screen.tap(.switch, "Hot")
        try await screen.choose("large", in: "Size")
        try await screen.tap(.button, "Increment, Cups 1")
        #expect(screen.find(.text, containing: "hot large 2") != nil)
        try await screen.tap(.button, "Increment, Cups 2")
        #expect(screen.find(.button, "Increment, Cups 3")?.isEnabled == false)
        try await screen.tap(.button, "Decrement, Cups 3")
        #expect(screen.find(.switch, "Hot")?.value == "on")
        #expect(screen.find(.comboBox, "Size")?.value == "large")
        screen.close()
    }

    @Test func `Enter submits, and the focus is told of`() async throws {
        let screen = Screen { Order() }
        try await screen.submit("Name")
        #expect(screen.find(.text, containing: "by Enter") != nil)
        try await screen.tap(.button, "Name it")
        #expect(screen.find(.text, containing: "naming") != nil)
        screen.close()
    }

    @Test func `an alert is answered by a button, which closes it`() async throws {
        let screen = Screen { Order() }
        try await screen.tap(.button, "Send")
        #expect(screen.find(.dialog)?.name == "Send it?")
        #expect(screen.find(.text, "It cannot be taken back.") != nil)
        #expect(screen.find(.button, "Name it") == nil)
        try await screen.tap(.button, "Keep")
        #expect(screen.find(.dialog) == nil && screen.find(.text, containing: "by alert") == nil)
        try await screen.tap(.button, "Send")
        try await screen.tap(.button, "Send")
        #expect(screen.find(.text, containing: "by alert") != nil)
        screen.close()
    }

    @Test func `a date tells how long ago it was`() throws {
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        let screen = Screen(now: { now }) {
            Text(now.addingTimeInterval(-65), style: .relative)
            Text(now.addingTimeInterval(-3 * 86_400), style: .relative)
            Text(now.addingTimeInterval(-3661), style: .timer)
        }
        #expect(screen.parts.map(\.name) == ["1 min, 5 sec", "3 days", "1:01:01"])
        screen.close()
    }

    struct DatePage: View {
        @State private var date = Date(timeIntervalSince1970: 1_000_000_000)
        var body: some View {
            DatePicker("Begun", selection: $date, in: ...Date(timeIntervalSince1970: 1_000_100_000))
            Text("\(Int(date.timeIntervalSince1970))")
        }
    }

    @Test func `a date is set by its parts, within its bounds`() async throws {
        let screen = Screen { DatePage().environment(\.timeZone, .gmt) }
        #expect(screen.find(.textField, "Begun")?.value == "2001-09-09T01:46")
        try await screen.type("2001-09-09T02:46", into: "Begun")
        #expect(screen.find(.text, "1000003600") != nil)
        try await screen.type("2031-01-01T00:00", into: "Begun")
        #expect(screen.find(.text, "1000100000") != nil)
        screen.close()
    }

    @Test func `markup is text`() throws {
        let screen = Screen { Text("<script>alert(1)</script> & 'quotes' \u{202E}abc 🧑‍🍳") }
        #expect(screen.parts.first?.name == "<script>alert(1)</script> & 'quotes' \u{202E}abc 🧑‍🍳")
        screen.close()
    }

    @Test func `a label names what has a role, through the boxes around it, and gives a role to what has none`() throws
    {
        let screen = Screen {
            VStack {
                Image(systemName: "star").padding().background(Color.red).accessibilityLabel("Favourite")
                Button("X") {}.frame(width: 50).accessibilityLabel("Close")
                AsyncImage(url: URL(fileURLWithPath: "/nowhere.png")).frame(width: 9).accessibilityLabel("Photo")
                Text("5 *").accessibilityLabel("Five stars")
            }
        }
        #expect(screen.outline == "image 'Favourite'\nbutton 'Close'\nimage 'Photo'\nimage 'Five stars'")
        screen.close()
    }
}
