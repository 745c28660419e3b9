import HTTPClient
import HTTPCore

/// How the commands reach a service.
enum Transport {
    static func make() -> any HTTPTransport { CurlTransport() }
}
