/// Something that begins when a node is first shown and ends when it is gone, or hidden by a container.
@MainActor
final class Lifetime {
    let begin: @MainActor () -> Void
    let end: @MainActor () -> Void
    var isRunning = false

    init(begin: @escaping @MainActor () -> Void, end: @escaping @MainActor () -> Void) {
        self.begin = begin
        self.end = end
    }
}
