import CloudKit
import LastPersonCore
import SwiftUI

@main
struct LastPersonApp: App {
    var body: some Scene {
        WindowGroup { LastPersonView() }
    }
}

/// Who wrote a name last, and a field to be the next.
struct LastPersonView: View {
    private let book = LastPersonBook()
    @State private var last: String?
    @State private var name = ""
    @State private var isBusy = true
    @State private var problem: String?

    var body: some View {
        NavigationStack {
            Form {
                Section("Written last") {
                    if isBusy, last == nil {
                        ProgressView("Looking it up…")
                    } else {
                        Text(last ?? "Nobody yet").font(.title)
                    }
                }
                Section("Be the next") {
                    TextField("Your name", text: $name).onSubmit(write)
                    Button("Write it", action: write).disabled(name.isEmpty || isBusy)
                }
                if let problem {
                    Section("This did not work") {
                        Text(problem)
                        Button("Try again") { Task { await read() } }
                    }
                }
            }
            .navigationTitle("Last Person")
            .task { await read() }
            .refreshable { await read() }
        }
    }

    private func read() async {
        await perform { last = try await book.lastName() }
    }

    private func write() {
        guard !name.isEmpty, !isBusy else { return }
        Task {
            await perform {
                try await book.write(name)
                last = try await book.lastName()
                name = ""
            }
        }
    }

    private func perform(_ work: () async throws -> Void) async {
        isBusy = true
        problem = nil
        do {
            try await work()
        } catch {
            problem = words(for: LastPersonBook.cause(of: error))
        }
        isBusy = false
    }

    /// What an error means to the person.
    private func words(for error: any Error) -> String {
        switch (error as? CKError)?.code {
        case .notAuthenticated: "Nobody is signed in on this device."
        case .networkUnavailable, .networkFailure: "The cloud cannot be reached. What you see is what was there last."
        default: error.localizedDescription
        }
    }
}
