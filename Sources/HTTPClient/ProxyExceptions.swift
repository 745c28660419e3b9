import Glibc

/// The hosts that no proxy of the environment stands before: those of the environment's `no_proxy`, and this machine.
struct ProxyExceptions {
    private static let loopback = "localhost,127.0.0.1,127.0.0.0/8,::1"

    /// As libcurl takes it.
    let list: String

    init(environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        let own = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
        list = own == "*" ? own : own.isEmpty ? Self.loopback : own + "," + Self.loopback
    }
}
