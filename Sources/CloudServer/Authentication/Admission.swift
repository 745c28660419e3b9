import CloudCore
import HTTPCore

/// A request as far as its head tells.
struct RequestHead: Sendable {
    let target: RequestTarget
    /// The target as it came, of which signatures are made.
    let rawTarget: String
    let headers: HTTPHeaders
    /// The address that the client reaches the service at.
    let address: ClientAddress
}

/// What the head of a request has shown of who sends it.
struct Admission: Sendable {
    let caller: Caller
    /// A fresh web token, if the request carried one.
    let freshToken: String?
    /// Whose requests are counted.
    let rateKey: RateKey
    /// What is still to be verified, once the body is there.
    let claim: SignatureClaim?
}

/// Whose requests are counted together.
enum RateKey: Hashable, Sendable {
    case account(Int64)
    /// Of callers without a user.
    case apiToken(String)
    /// Of those who have a URL that was made out to nobody: it names no API token.
    case nobody(ContainerID, CloudEnvironment)
}
