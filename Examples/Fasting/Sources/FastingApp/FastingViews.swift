import CloudKit
import FastingCore
import SwiftUI

struct FastingView: View {
    @Environment(FastingModel.self) private var model

    var body: some View {
        TabView {
            TimerPage().tabItem { Label("Timer", systemImage: "timer") }
            HistoryPage().tabItem { Label("History", systemImage: "chart.bar") }
            FriendsPage().tabItem { Label("Friends", systemImage: "person.2") }
        }
        .task { await model.load() }
        .alert(
            "That did not work",
            isPresented: Binding(get: { model.problem != nil }, set: { if !$0 { model.problem = nil } })
        ) {
            Button("OK", role: .cancel) {}
        } message: {
            Text(model.problem ?? "")
        }
    }
}

/// The fast that lasts, or the choice of the next one.
struct TimerPage: View {
    @Environment(FastingModel.self) private var model
    @State private var goal = Fast.Goal.sixteen

    var body: some View {
        NavigationStack {
            Form {
                if let fast = model.current {
                    Section("Fasting since") {
                        Text(fast.start, style: .timer).font(.largeTitle).monospacedDigit()
                        LabeledContent("Goal", value: "\(fast.goal.rawValue) hours")
                        Button("End the fast", role: .destructive) { Task { await model.end() } }.disabled(model.isBusy)
                    }
                } else if model.isReady {
                    Section("Next fast") {
                        Picker("Goal", selection: $goal) {
                            ForEach(Fast.Goal.allCases, id: \.self) { Text("\($0.rawValue) hours").tag($0) }
                        }
                        .pickerStyle(.segmented)
                        Button("Begin") { Task { await model.begin(goal) } }.disabled(model.isBusy)
                    }
                } else {
                    ProgressView("Reading your fasts…")
                }
            }
            .navigationTitle("Fasting")
        }
    }
}

/// The fasts that ended, as bars.
struct HistoryPage: View {
    @Environment(FastingModel.self) private var model
    @State private var isSharing = false

    var body: some View {
        NavigationStack {
            Form {
                if model.past.isEmpty {
                    ContentUnavailableView(
                        "Nothing here yet", systemImage: "chart.bar",
                        description: Text("A fast comes here when it has ended."))
                } else {
                    Section("Hours") { ForEach(model.past) { FastBar(fast: $0) } }
                }
            }
            .navigationTitle("History")
            .toolbar { Button("Share", systemImage: "square.and.arrow.up") { isSharing = true } }
            .sheet(isPresented: $isSharing) { ShareView(model: model) }
            .refreshable { await model.load() }
        }
    }
}

/// One fast as a bar against its goal.
struct FastBar: View {
    let fast: Fast

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            HStack {
                Text(fast.start, style: .date)
                Spacer()
                Text("\(fast.hours(), specifier: "%.1f") of \(fast.goal.rawValue)").foregroundStyle(.secondary)
                Image(systemName: fast.isReached() ? "checkmark.circle.fill" : "circle")
                    .foregroundStyle(fast.isReached() ? Color.green : Color.secondary)
                    .accessibilityLabel(fast.isReached() ? "Reached" : "Not reached")
            }
            ProgressView("Hours of the goal", value: fast.hours(), total: Double(fast.goal.rawValue))
        }
    }
}

struct FriendsPage: View {
    @Environment(FastingModel.self) private var model

    var body: some View {
        NavigationStack {
            List {
                if model.friends.isEmpty {
                    ContentUnavailableView(
                        "No friends yet", systemImage: "person.2",
                        description: Text("Open the link of somebody who shares his fasts."))
                }
                ForEach(model.friends, id: \.user) { friend in
                    Section(friend.name) {
                        ForEach(friend.fasts) { fast in
                            if fast.end == nil {
                                LabeledContent("Fasting since") { Text(fast.start, style: .relative) }
                            } else {
                                FastBar(fast: fast)
                            }
                        }
                    }
                }
            }
            .navigationTitle("Friends")
            .refreshable { await model.load() }
        }
    }
}

/// Shares one's own fasts, for reading only.
struct ShareView: UIViewControllerRepresentable {
    let model: FastingModel

    func makeUIViewController(context: Context) -> UICloudSharingController {
        let store = model.store
        let controller = UICloudSharingController { _, completion in
            Task {
                do {
                    completion(try await store.share(), CKContainer(identifier: FastingStore.containerIdentifier), nil)
                } catch {
                    completion(nil, nil, error)
                }
            }
        }
        controller.title = "Share your fasts"
        controller.availablePermissions = [.allowReadOnly, .allowPrivate, .allowPublic]
        return controller
    }

    func updateUIViewController(_ controller: UICloudSharingController, context: Context) {}
}
