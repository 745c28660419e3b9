import CMicroHTTPD
import Glibc
import HTTPCore

// Answers that go on: a reader that libmicrohttpd calls, which suspends the connection while there is nothing to say.
extension Exchange {
    /// An answer of unknown length.
    func liveMessage(_ body: HTTPLiveBody) -> OpaquePointer? {
        lastSent = EventLoop.now()
        body.carry { [weak self] in
            guard let exchange = self else { return }
            exchange.connection.loop.perform { exchange.goOn() }
        }
        let reader = Unmanaged.passRetained(LiveReader(exchange: self, body: body))
        let message = MHD_create_response_from_callback(
            .max, LiveReader.blockBytes, readLive, reader.toOpaque(), freeLive)
        if message == nil { reader.release() }
        return message
    }

    /// There is something to send, or the body is over.
    private func goOn() {
        // A reader that was too slow may leave no room to say anything: the connection is all there is to end.
        if let live = response?.live, live.isOver, handle != nil { shutdown(connection.socket, Int32(SHUT_RDWR)) }
        resume()
    }

    func keepAlive(_ now: Int) {
        guard isQueued, let live = response?.live, now - lastSent >= connection.loop.configuration.beatSeconds else {
            return
        }
        lastSent = now
        live.keepAlive()
    }

    /// The peer of a parked answer has left.
    func peerLeft() {
        guard let live = response?.live else {
            task?.cancel()
            return
        }
        live.drop()
        shutdown(connection.socket, Int32(SHUT_RDWR))
        resume()
    }
}

/// What libmicrohttpd keeps of an answer that goes on.
private final class LiveReader {
    static let blockBytes = 16 * 1024

    let exchange: Exchange
    let body: HTTPLiveBody

    init(exchange: Exchange, body: HTTPLiveBody) {
        self.exchange = exchange
        self.body = body
    }
}

/// Called on the loop's thread for the next bytes.
private func readLive(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    let (end, failure) = (-1, -2)
    guard let context, let buffer else { return failure }
    let reader = Unmanaged<LiveReader>.fromOpaque(context).takeUnretainedValue()
    switch reader.body.take(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
    case .bytes(let count):
        reader.exchange.lastSent = EventLoop.now()
        return count
    case .nothing:
        if reader.exchange.connection.loop.isDraining { return end }
        reader.exchange.suspend()
        return 0
    case .end: return end
    case .gone: return failure
    }
}

/// The connection is over.
private func freeLive(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<LiveReader>.fromOpaque(context).takeRetainedValue().body.drop()
}
