import CloudCore
import CloudCrypto

/// The API token that a development service adopts when nobody has set one: the same on every device of a container.
package enum DevelopmentToken {
    static func make(container: ContainerID, environment: CloudEnvironment) -> String {
        let text = "cumulet development API token\n" + container.rawValue + "\n" + environment.rawValue
        return Hex.encode(Crypto.sha256([UInt8](text.utf8)))
    }
}
