import Foundation

/// Where a service's data is.
package enum DataPath {
    /// `--data`, else `CUMULET_DATA`, else `cumulet` in the XDG data folder.
    package static func find(given: String?, environment: (String) -> String? = Terminal.variable) -> String {
        if let path = given ?? environment("CUMULET_DATA") { return path }
        if let base = environment("XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/cumulet" }
        return NSHomeDirectory() + "/.local/share/cumulet"
    }

    /// The address and key of the service that runs on a folder.
    package static func adminKey(in folder: String) -> String { folder + "/admin.json" }
}
