import CloudKit
import Dispatch
import Glibc
import ViewGraph
import ViewServer

/// The process of an app: one device. It shows its windows to the browser.
@MainActor
final class AppProcess: WindowHost {
    private let app: AppInstance
    private let name: String
    private var windows: [String: AppWindow] = [:]
    private var server: ViewServer?
    private var signals: [any DispatchSourceSignal] = []

    init<Program: App>(_ type: Program.Type) {
        app = AppInstance(type)
        let word = "\(type)"
        name = word.hasSuffix("App") && word.count > 3 ? String(word.dropLast(3)) : word
    }

    /// Starts the server, and says on the terminal where it is to be seen.
    ///
    /// `CUMULET_PORT` names the port, a free one without it. `CUMULET_STAGE` is the origin of a page that may frame the windows, and
    /// `CUMULET_VIEW_TOKEN` the token of the address: of whoever starts apps on a stage, and starts them again.
    func start() throws {
        var configuration = ViewServerConfiguration()
        configuration.title = name
        let environment = ProcessInfo.processInfo.environment
        if let port = environment["CUMULET_PORT"] {
            guard let number = UInt16(port) else {
                throw AppProcessError("CUMULET_PORT is '\(port)', which is no port")
            }
            configuration.port = number
        }
        configuration.stageOrigin = try environment["CUMULET_STAGE"].map(origin)
        if let token = environment["CUMULET_VIEW_TOKEN"] {
            guard token.utf8.count >= 32, token.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
            else {
                throw AppProcessError("CUMULET_VIEW_TOKEN must be 32 hexadecimal digits or more")
            }
            configuration.token = token
            // For this process alone, not for those that it starts.
            unsetenv("CUMULET_VIEW_TOKEN")
        }
        let server = ViewServer(configuration, host: self)
        print("showing on \(try server.start())")
        print("for the browser of this machine only; the address lets in whoever has it")
        fflush(nil)
        self.server = server
        if configuration.stageOrigin != nil { StageOrders(CloudDevice.current).listen() }
        for number in [SIGINT, SIGTERM] { end(on: number) }
    }

    /// An origin, which becomes a part of a policy: nothing else must stand in it.
    private func origin(_ text: String) throws -> String {
        let isOrigin = text.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\-]+(:[0-9]+)?/) != nil
        guard isOrigin else { throw AppProcessError("CUMULET_STAGE is '\(text)', which is no origin") }
        return text
    }

    private func end(on number: Int32) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler {
            Task { @MainActor in
                await self.server?.stop()
                self.app.end()
                exit(0)
            }
        }
        source.resume()
        signals.append(source)
    }

    func openWindow(_ identifier: String) -> ViewGraph {
        let window = app.openWindow(identifier)
        windows[identifier] = window
        return window.graph
    }

    func open(_ link: String) async throws(LinkRefusal) { try await app.open(link) }

    func closeWindow(_ identifier: String) {
        if let window = windows.removeValue(forKey: identifier) { app.close(window) }
    }
}

/// Why an app cannot be shown.
private struct AppProcessError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Where windows find local files.
enum WindowFiles {
    static func address(of url: URL) -> String {
        url.isFileURL ? FileShelf.shared.address(of: url.path) : url.absoluteString
    }
}
