package import ViewGraph

/// An app, as the server that shows it knows it.
@MainActor
package protocol WindowHost: AnyObject, Sendable {
    /// Opens a window and starts its views.
    /// - Parameter identifier: The browser tab's own; not that of a window that is open.
    func openWindow(_ identifier: String) -> ViewGraph
    /// Ends a window that nobody has looked at for a while.
    func closeWindow(_ identifier: String)
}
