/// Makes objects of classes that are known by their type alone.
///
/// `NSObject.init()` is not a required initialiser here, so the language does not call it on a metatype. The call goes through the
/// same entry of the class's table in every subclass; so the metatype is taken for one of a class whose initialiser is required.
/// That class must be open: of a private one the compiler knows that it has no subclasses, and calls its own initialiser.
@MainActor
package enum ObjectMaker {
    /// - Returns: `nil` for a class that does not come from `NSObject`.
    package static func make(_ type: AnyClass) -> NSObject? {
        guard type is NSObject.Type else { return nil }
        return unsafeBitCast(type, to: _Made.Type.self).init()
    }
}

/// The class that others are taken for; see ``ObjectMaker``.
open class _Made: NSObject {
    public required override init() { super.init() }
}
