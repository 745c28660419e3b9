internal import CloudCore

extension CKDatabase {
    /// Which of a container's databases.
    public enum Scope: Int, Hashable, Sendable {
        case `public` = 1
        case `private` = 2
        case shared = 3

        init(_ scope: DatabaseScope) {
            switch scope {
            case .public: self = .public
            case .private: self = .private
            case .shared: self = .shared
            }
        }

        var core: DatabaseScope {
            switch self {
            case .public: .public
            case .private: .private
            case .shared: .shared
            }
        }
    }
}
