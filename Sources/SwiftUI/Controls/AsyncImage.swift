/// A picture from an address. One of a file of the device is there at once; others are fetched, and kept while the view is there.
public struct AsyncImage<Content: View>: View {
    private let url: URL?
    private let content: (AsyncImagePhase) -> Content
    @State private var fetched: Fetched?

    private struct Fetched {
        let url: URL
        let result: Result<URL, any Error>
    }

    public init(url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (AsyncImagePhase) -> Content) {
        self.url = url
        self.content = content
    }

    public init<I: View, P: View>(
        url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P> {
        self.init(url: url, scale: scale) { phase in
            if let image = phase.image { content(image) } else { placeholder() }
        }
    }

    public init(url: URL?, scale: CGFloat = 1) where Content == Image? {
        self.init(url: url, scale: scale) { $0.image }
    }

    public var body: some View {
        content(phase).task(id: url) { await fetch() }
    }

    private var phase: AsyncImagePhase {
        guard let url else { return .empty }
        if url.isFileURL { return .success(Image(fileURL: url)) }
        guard let fetched, fetched.url == url else { return .empty }
        switch fetched.result {
        case .success(let file): return .success(Image(fileURL: file))
        case .failure(let error): return .failure(error)
        }
    }

    private func fetch() async {
        guard let url, !url.isFileURL, fetched?.url != url else { return }
        do {
            let file = try await PictureFetch.file(of: url)
            fetched = Fetched(url: url, result: .success(file))
        } catch is CancellationError {
        } catch {
            fetched = Fetched(url: url, result: .failure(error))
        }
    }
}

/// How far a picture has come.
public enum AsyncImagePhase {
    case empty
    case success(Image)
    case failure(any Error)

    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
