import CloudKit

/// The screen of a `UICloudSharingController`: who takes part and who may, the address, and the end of it.
struct SharingScreen: View {
    @State private var model: SharingModel
    @Environment(\.dismiss) private var dismiss
    @State private var address = ""
    @State private var canWrite = false
    @State private var isStopping = false

    init(_ controller: UICloudSharingController) { _model = State(initialValue: SharingModel(controller)) }

    var body: some View {
        NavigationStack {
            Form {
                if model.isShared { shared } else { beginning }
                if let problem = model.problem {
                    Section("This did not work") {
                        Text(problem)
                        Button("Dismiss") { model.problem = nil }
                    }
                }
            }
            .navigationTitle(model.title)
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .confirmationAction) { Button("Done") { dismiss() } }
            }
            .confirmationDialog(
                model.isOwner ? "Stop sharing?" : "Leave?", isPresented: $isStopping, titleVisibility: .visible
            ) {
                Button(model.isOwner ? "Stop Sharing" : "Leave", role: .destructive) { Task { await model.stop() } }
            } message: {
                Text(model.isOwner ? "Nobody else will see it any more." : "You will not see it any more.")
            }
        }
    }

    @ViewBuilder private var beginning: some View {
        Section {
            Text("Nobody else sees this yet.")
            Button("Begin Sharing", systemImage: "person.crop.circle.badge.plus") { Task { await model.begin() } }
                .disabled(model.isBusy)
        }
    }

    @ViewBuilder private var shared: some View {
        Section("People") {
            ForEach(model.people) { person in row(person).deleteDisabled(!mayChange(person)) }
                .onDelete { offsets in
                    for person in offsets.map({ model.people[$0] }) where mayChange(person) {
                        Task { await model.remove(person) }
                    }
                }
        }
        // Who is let in by the link is not invited: the service takes one or the other.
        let isByInvitation = model.link == .nobody
        if model.mayInvite, model.mayInvitePeople, isByInvitation { invitation }
        if model.isOwner, model.links.count > 1 {
            Section {
                Picker(
                    "Access",
                    selection: Binding(get: { model.link }, set: { link in Task { await model.setLink(link) } })
                ) {
                    ForEach(model.links, id: \.self) { Text($0.rawValue).tag($0) }
                }
            } header: {
                Text("Who has access by the link")
            } footer: {
                if model.mayInvitePeople, !isByInvitation {
                    Text("To invite people one by one, choose “\(SharingModel.LinkAccess.nobody.rawValue)”.")
                }
            }
        }
        Section {
            if let url = model.url { CopyButton("Copy Link", text: url.absoluteString) }
            Button(model.isOwner ? "Stop Sharing" : "Leave", role: .destructive) { isStopping = true }
                .disabled(model.isBusy)
        }
    }

    private func mayChange(_ person: SharingModel.Person) -> Bool {
        model.mayInvite && !person.isMe && person.role != .owner
    }

    @ViewBuilder private func row(_ person: SharingModel.Person) -> some View {
        HStack {
            Image(systemName: "person.crop.circle").imageScale(.large).foregroundStyle(.secondary)
            VStack(alignment: .leading, spacing: 2) {
                Text(person.isMe ? "\(person.name) (you)" : person.name)
                Text(person.detail).font(.footnote).foregroundStyle(.secondary)
            }
            Spacer()
            if mayChange(person), model.mayChooseRights {
                Toggle(
                    "Can edit",
                    isOn: Binding(
                        get: { person.canWrite },
                        set: { canWrite in Task { await model.setCanWrite(canWrite, for: person) } }))
            }
        }
    }

    @ViewBuilder private var invitation: some View {
        Section {
            TextField("E-mail or phone number", text: $address).onSubmit(invite)
            if model.mayChooseRights { Toggle("Can edit", isOn: $canWrite) }
            Button("Invite", systemImage: "person.badge.plus", action: invite)
                .disabled(model.isBusy || trimmed.isEmpty)
        } header: {
            Text("Invite somebody")
        } footer: {
            Text("Send the link to whom you invite: nothing is sent from here.")
        }
    }

    private var trimmed: String { address.trimmingCharacters(in: .whitespaces) }

    private func invite() {
        guard !trimmed.isEmpty, !model.isBusy else { return }
        let invited = trimmed
        Task {
            await model.invite(invited, canWrite: canWrite)
            if model.problem == nil { address = "" }
        }
    }
}
