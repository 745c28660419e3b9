import CloudCore

/// Finds what a path means.
enum Router {
    static func match(_ target: RequestTarget) throws(CloudError) -> Route {
        let path = target.segments
        if path.first == "share", let page = SharePage.request(path.dropFirst()) { return .sharePage(page) }
        guard path.count >= 2, path[1] == "1" else { throw noHandler(path) }
        switch path[0] {
        case "database": return .operation(try database(path))
        case "device":
            if path.count == 3, path[2] == "courier" { return .courier }
            return .operation(try device(path))
        case "cumulet": return try own(Array(path.dropFirst(2)))
        // Whatever follows: a token that was cut or added to is refused as one, and appears in no log.
        case "asset" where path.count > 3 && path[2] == "upload": return .assetUpload(path[3...].joined(separator: "/"))
        case "asset" where path.count > 3 && path[2] == "download":
            return .assetDownload(path[3...].joined(separator: "/"))
        default: throw noHandler(path)
        }
    }

    private static func noHandler(_ path: some Sequence<String>) -> CloudError {
        CloudError(
            .notFound, "could not find handler for endpoint '\(RequestTarget.shown(path))'", nativeCode: 12)
    }

    private static func database(_ path: [String]) throws(CloudError) -> DatabaseRoute {
        guard path.count >= 5 else { throw noHandler(path) }
        if path[4] == "tokens" { return try device(path) }
        guard let scope = DatabaseScope(pathName: path[4]) else {
            throw CloudError(
                .badRequest,
                "unknown database type '\(RequestTarget.shown(path[4]))': expected public, private or shared",
                nativeCode: 12)
        }
        let operation = try operation(path[5...])
        let found = DatabaseRoute(
            operation: operation, container: try container(path[2]), environment: try environment(path[3]),
            scope: operation.scopes.isEmpty ? nil : scope)
        guard operation.scopes.isEmpty || operation.scopes.contains(scope) else {
            throw CloudError(
                .badRequest, "endpoint not applicable in the database type '\(scope.pathName)db'", nativeCode: 24)
        }
        return found
    }

    private static func device(_ path: [String]) throws(CloudError) -> DatabaseRoute {
        guard path.count >= 5 else { throw noHandler(path) }
        let operation = try operation(path[4...])
        guard operation.scopes.isEmpty else { throw noHandler(path) }
        return DatabaseRoute(
            operation: operation, container: try container(path[2]), environment: try environment(path[3]), scope: nil)
    }

    private static func operation(_ path: ArraySlice<String>) throws(CloudError) -> Operation {
        let name = path.joined(separator: "/")
        if let operation = Operation.named[name] { return operation }
        throw noHandler(path)
    }

    private static func environment(_ name: String) throws(CloudError) -> CloudEnvironment {
        switch CloudEnvironment(rawValue: name) {
        case .development?: return .development
        case .production?:
            throw CloudError(.badRequest, "the production environment is not available yet", nativeCode: 12)
        case nil:
            throw CloudError(
                .badRequest,
                "unknown environment '\(RequestTarget.shown(name))': expected development or production", nativeCode: 12
            )
        }
    }

    private static func container(_ name: String) throws(CloudError) -> ContainerID {
        try ContainerNames.check(name)
        return ContainerID(name)
    }

    private static func own(_ path: [String]) throws(CloudError) -> Route {
        if path == ["health"] { return .health }
        if path == ["auth", "sign-in"] { return .signInPage }
        if path.count == 1, let call = AccountCall(rawValue: path[0]) { return .account(call) }
        if path.count == 2, path[0] == "admin", let call = AdminCall(rawValue: path[1]) { return .admin(call) }
        throw noHandler(path)
    }
}

enum ContainerNames {
    /// - Throws: `BAD_REQUEST` unless the name is 1...255 ASCII letters, digits, dots, hyphens and underscores.
    static func check(_ name: String) throws(CloudError) {
        let bytes = name.utf8
        let isGood = bytes.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || [45, 46, 95].contains($0)
        }
        guard isGood, (1...255).contains(bytes.count) else {
            throw CloudError(
                .badRequest, "a container's name is 1 to 255 ASCII letters, digits, dots, hyphens and underscores",
                nativeCode: 5)
        }
    }
}
