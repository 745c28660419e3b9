package import ViewGraph

/// An app, as the server that shows it knows it.
@MainActor
package protocol WindowHost: AnyObject, Sendable {
    /// Opens a window and starts its views.
    /// - Parameter identifier: The browser tab's own; not that of a window that is open.
    func openWindow(_ identifier: String) -> ViewGraph
    /// Ends a window that nobody has looked at for a while.
    func closeWindow(_ identifier: String)
    /// Opens a link on the device, as a tap on it elsewhere does; over when the app has been told of it.
    func open(_ link: String) async throws(LinkRefusal)
}

/// Why a link was not opened, in words for who opened it.
package struct LinkRefusal: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
