import CloudCrypto
import Glibc
import HTTPCore
import Synchronization
import ViewGraph

/// The windows that browsers show: found by the names of the tabs.
final class Windows: Sendable {
    private let host: any WindowHost
    private let limit: Int
    private let secondsAlone: Int
    private let now: @Sendable () -> Int
    private let channels = Mutex<[String: WindowChannel]>([:])
    /// Where files lie that were brought along, a folder for each window.
    let uploads: UploadFolder
    @MainActor private var shown: [String: ShownWindow] = [:]

    init(host: any WindowHost, configuration: ViewServerConfiguration) {
        self.host = host
        limit = configuration.windowLimit
        secondsAlone = configuration.secondsAlone
        now = configuration.now
        uploads = UploadFolder()
    }

    /// Opens a link on the app's device.
    func open(_ link: String) async throws(Refusal) {
        do throws(LinkRefusal) {
            try await host.open(link)
        } catch {
            throw Refusal(422, error.description)
        }
    }

    // MARK: - Streams

    /// Connects a stream with the tab's window, which is opened if it is new.
    /// - Parameter last: The last message that the tab has seen.
    func connect(_ stream: HTTPLiveBody, to identifier: Substring, since last: Substring?) throws(Refusal) {
        let channel = try channel(identifier)
        let now = now
        stream.whenOver { channel.detach(stream, at: now()) }
        Task { @MainActor in show(channel, stream, since: last) }
    }

    private func channel(_ identifier: Substring) throws(Refusal) -> WindowChannel {
        guard Self.isName(identifier) else { throw Refusal(400, "a window's name is 1 to 64 letters and digits") }
        let identifier = String(identifier)
        let found: WindowChannel? = channels.withLock { channels in
            if channels[identifier] == nil, channels.count < limit {
                channels[identifier] = WindowChannel(
                    identifier, life: Hexadecimal.text(Crypto.random(4)), now: now())
            }
            channels[identifier]?.expect(at: now())
            return channels[identifier]
        }
        guard let found else {
            throw Refusal(503, "\(limit) windows are open, which is all that there may be; close one")
        }
        return found
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
    }

    @MainActor private func show(_ channel: WindowChannel, _ stream: HTTPLiveBody, since last: Substring?) {
        if let old = shown[channel.identifier], old.channel !== channel { close(old.channel) }
        let window: ShownWindow
        if let open = shown[channel.identifier] {
            window = open
        } else {
            window = ShownWindow(channel, host.openWindow(channel.identifier))
            shown[channel.identifier] = window
        }
        // One that is over already has said so; it must not be kept as one that lives.
        if stream.isOver { return channel.expect(at: now()) }
        channel.attach(stream, since: last, snapshot: window.snapshot)
        if stream.isOver { channel.detach(stream, at: now()) }
    }

    // MARK: - Events

    /// Hands events to a window.
    /// - Parameter life: Of the window that the page shows.
    func post(_ events: [WindowEvent], to identifier: Substring, life: Substring) throws(Refusal) {
        guard let channel = channels.withLock({ $0[String(identifier)] }), channel.life == life else {
            throw Refusal(410, "that window is not there any more")
        }
        guard let new = channel.receive(events) else { throw Refusal(429, "the app has too much to do; try again") }
        Task { @MainActor in shown[channel.identifier]?.take(new, of: channel) }
    }

    /// Whether the window is there.
    func has(_ identifier: Substring, life: Substring) -> Bool {
        channels.withLock { $0[String(identifier)] }?.life == String(life)
    }

    // MARK: - Ends

    /// Closes windows that have been alone for long.
    func sweep() async {
        let oldest = now() - secondsAlone
        let gone = channels.withLock { channels in
            let gone = channels.values.filter { $0.isAlone(since: oldest) }
            for channel in gone { channels[channel.identifier] = nil }
            return gone
        }
        await MainActor.run { for channel in gone { close(channel) } }
    }

    /// Closes all windows.
    @MainActor func closeAll() {
        channels.withLock { $0 = [:] }
        for window in shown.values { close(window.channel) }
        uploads.remove()
    }

    @MainActor private func close(_ channel: WindowChannel) {
        channel.close()
        uploads.remove(of: channel.life)
        guard let window = shown[channel.identifier], window.channel === channel else { return }
        shown[channel.identifier] = nil
        window.graph.onUpdate = nil
        host.closeWindow(channel.identifier)
    }
}

/// A window that is open.
@MainActor
private final class ShownWindow {
    let channel: WindowChannel
    let graph: ViewGraph
    private var events: [WindowEvent] = []
    private var isHandling = false
    private var handled = 0

    init(_ channel: WindowChannel, _ graph: ViewGraph) {
        self.channel = channel
        self.graph = graph
        graph.onUpdate = { [unowned self] update in
            handled = update.handled
            channel.publish(MessageWriter.update(update))
        }
    }

    func snapshot(_ received: Int) -> [UInt8] {
        guard let element = graph.element else { return Array("{}".utf8) }
        return MessageWriter.snapshot(element, handled: handled, received: received)
    }

    /// Handles events one after the other. What one has changed is shown before the next: a button that it enabled must be so.
    func take(_ new: [WindowEvent], of channel: WindowChannel) {
        guard channel === self.channel else { return }
        events += new
        guard !isHandling else { return }
        isHandling = true
        Task { @MainActor in
            while !events.isEmpty {
                graph.handle(events.removeFirst())
                channel.handledOne()
                // State tells its nodes in a job of its own, and the update is another; both are due before this one goes on.
                await Task.yield()
                await Task.yield()
            }
            isHandling = false
        }
    }
}
