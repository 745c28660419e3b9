/// What the system's objects that hear of events come from.
@MainActor
open class UIResponder: NSObject {
    public override nonisolated init() { super.init() }
}
