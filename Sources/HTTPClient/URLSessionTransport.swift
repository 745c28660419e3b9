import Foundation
import FoundationNetworking
package import HTTPCore
import Synchronization

/// HTTP over `URLSession`.
package struct URLSessionTransport: HTTPTransport {
    private let session: URLSession

    package init() {
        let configuration = URLSessionConfiguration.ephemeral
        // The request's own time-out decides; the session's must not be shorter.
        configuration.timeoutIntervalForRequest = 3600
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 16
        session = URLSession(configuration: configuration)
    }

    package func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        guard let url = URL(string: request.target), url.host != nil else {
            throw HTTPTransportError(.invalidURL, "'\(request.target)' is not an absolute URL")
        }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        outgoing.timeoutInterval =
            Double(timeout.components.seconds) + Double(timeout.components.attoseconds) / 1e18
        for entry in request.headers.entries { outgoing.addValue(entry.value, forHTTPHeaderField: entry.name) }
        if !request.body.isEmpty { outgoing.httpBody = Data(request.body) }
        do {
            let (data, response) = try await data(for: outgoing)
            guard let response = response as? HTTPURLResponse else {
                throw HTTPTransportError(.connectionLost, "the answer is not HTTP")
            }
            var headers = HTTPHeaders()
            for (name, value) in response.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers.append(name, value) }
            }
            return HTTPResponse(status: response.statusCode, headers: headers, body: Array(data))
        } catch let error as HTTPTransportError {
            throw error
        } catch let error as URLError {
            throw HTTPTransportError(error.transportCode, "\(url.host ?? ""): \(error.localizedDescription)")
        } catch is CancellationError {
            throw HTTPTransportError(.cancelled, "cancelled")
        } catch {
            throw HTTPTransportError(.connectionLost, error.localizedDescription)
        }
    }
}

extension URLSessionTransport {
    private typealias Answer = CheckedContinuation<(Data, URLResponse), any Error>

    /// As `URLSession.data(for:)`, which deadlocks on Linux when a task is cancelled while its answer comes; and
    /// `URLSessionTask.cancel()` traps there when the task ends at that moment. So a cancelled request is abandoned:
    /// its caller goes on at once, and the request ends by itself, by its answer or its time-out.
    private func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        let waiting = Mutex<Answer?>(nil)
        let finish: @Sendable (Result<(Data, URLResponse), any Error>) -> Void = { result in
            let waiter = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            waiter?.resume(with: result)
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Answer) in
                waiting.withLock { $0 = waiter }
                guard !Task.isCancelled else { return finish(.failure(CancellationError())) }
                let task = session.dataTask(with: request) { data, response, error in
                    if let response, error == nil {
                        finish(.success((data ?? Data(), response)))
                    } else {
                        finish(.failure(error ?? URLError(.badServerResponse)))
                    }
                }
                task.resume()
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }
}

extension URLError {
    fileprivate var transportCode: HTTPTransportError.Code {
        switch code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet: .unreachable
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        case .badURL, .unsupportedURL: .invalidURL
        default: .connectionLost
        }
    }
}
