import CloudCore

/// What a request is for.
enum Route: Sendable {
    case operation(DatabaseRoute)
    case courier
    case account(AccountCall)
    case admin(AdminCall)
    case signInPage
    case sharePage(SharePage.Request)
    case health
    /// The token of the URL.
    case assetUpload(String)
    case assetDownload(String)

    static let uploadMethods = ["POST", "PUT"]

    /// The methods that are served.
    var methods: [String] {
        switch self {
        case .operation(let route): route.operation.methods
        case .courier, .health: ["GET"]
        case .assetUpload: Self.uploadMethods
        case .assetDownload: ["GET", "HEAD"]
        case .account, .admin: ["POST"]
        case .signInPage: ["GET", "POST"]
        case .sharePage(let page): page.isAcceptance ? ["GET", "POST"] : ["GET"]
        }
    }

    /// The log's word for it.
    var name: String {
        switch self {
        case .operation(let route): route.scope.map { "\($0.pathName)/\(route.operation.name)" } ?? route.operation.name
        case .courier: "courier"
        case .account(let call): call.rawValue
        case .admin(let call): "admin/\(call.rawValue)"
        case .signInPage: "auth/sign-in"
        case .sharePage(let page): page.isAcceptance ? "share/accept" : "share"
        case .health: "health"
        case .assetUpload: "asset/upload"
        case .assetDownload: "asset/download"
        }
    }
}

/// An operation of the protocol on a container.
struct DatabaseRoute: Sendable {
    let operation: Operation
    let container: ContainerID
    let environment: CloudEnvironment
    /// `nil` for operations of the device.
    let scope: DatabaseScope?
}
