import Foundation
import FoundationNetworking
package import HTTPCore

/// HTTP over `URLSession`.
package struct URLSessionTransport: HTTPTransport {
    private let sessions: URLSessions

    package init() {
        let configuration = URLSessionConfiguration.ephemeral
        // `Exchange` keeps the time; Foundation's own limit must not be shorter.
        configuration.timeoutIntervalForRequest = 24 * 3600
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 16
        sessions = URLSessions(configuration)
    }

    package func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        guard let url = URL(string: request.target), url.host != nil else {
            throw HTTPTransportError(.invalidURL, "'\(request.target)' is not an absolute URL")
        }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        outgoing.timeoutInterval = sessions.plain.configuration.timeoutIntervalForRequest
        for entry in request.headers.entries { outgoing.addValue(entry.value, forHTTPHeaderField: entry.name) }
        if !request.body.isEmpty { outgoing.httpBody = Data(request.body) }
        do {
            let (data, response) = try await Exchange(sessions).answer(
                to: outgoing, sending: request.upload, within: timeout)
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
