/// The process of an app: one device. It shows its windows to the browser.
@MainActor
final class AppProcess {
    init<Program: App>(_ type: Program.Type) {}
    func start() throws {}
}

enum WindowFiles { static func address(of url: URL) -> String { url.absoluteString } }
