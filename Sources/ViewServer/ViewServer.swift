import HTTPCore
import HTTPServer
import Synchronization

/// Shows an app's windows to the browser of this machine. It is a tool for the desk: it listens on 127.0.0.1 and nowhere else.
package final class ViewServer: Sendable {
    private let configuration: ViewServerConfiguration
    private let access: AccessRules
    private let windows: Windows
    private let http: HTTPServer
    private let sweeper = Mutex<Task<Void, Never>?>(nil)

    package init(_ configuration: ViewServerConfiguration = ViewServerConfiguration(), host: any WindowHost) {
        self.configuration = configuration
        access = AccessRules(token: configuration.token, stageOrigin: configuration.stageOrigin)
        windows = Windows(host: host, configuration: configuration)
        var listening = HTTPServerConfiguration()
        listening.host = "127.0.0.1"
        listening.port = configuration.port
        listening.beatSeconds = configuration.beatSeconds
        listening.maximumBodyBytes = PostedEvents.byteLimit
        listening.connectionLimit = 512
        http = HTTPServer(
            configuration: listening,
            responder: ViewResponder(
                access: access, windows: windows, page: Page(title: configuration.title), files: configuration.files,
                uploadLimit: configuration.uploadLimit))
    }

    /// Begins to listen.
    /// - Returns: The address for the browser, with the token: for the terminal of who started the app, and for no log.
    /// - Throws: ``HTTPServerError`` naming the address that cannot be had.
    package func start() throws -> String {
        let port = try http.start()
        access.listen(on: port)
        if let seconds = configuration.sweepSeconds {
            let windows = windows
            sweeper.withLock {
                $0 = Task {
                    while (try? await Task.sleep(for: .seconds(seconds))) != nil { await windows.sweep() }
                }
            }
        }
        return "http://127.0.0.1:\(port)/?token=\(configuration.token)"
    }

    /// Closes windows that no browser has shown for ``ViewServerConfiguration/secondsAlone``.
    package func sweep() async { await windows.sweep() }

    /// Ends the streams and closes the windows.
    package func stop() async {
        sweeper.withLock { $0 }?.cancel()
        await windows.closeAll()
        await http.stop(within: 2)
    }
}
