/// Shows a part of the app that is not made of views of SwiftUI. What the system's own controllers show, a page of ours shows; one
/// of the app's own is shown as a box with its name, as there are no views of UIKit here.
@MainActor
open class UIViewController: UIResponder {
    open var title: String?
    public override nonisolated init() { super.init() }

    /// Called once, before the controller is shown for the first time.
    open func viewDidLoad() {}

    /// Closes what the controller is shown in.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        close?()
        completion?()
    }

    /// Set while the controller is shown in something that can be closed.
    package var close: (() -> Void)?
}
