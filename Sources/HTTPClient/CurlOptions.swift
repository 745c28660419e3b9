import CCurl
import HTTPCore

extension UnsafeMutableRawPointer {
    /// Tells an easy handle all of a request but what is called back.
    /// - Returns: The list of header fields, to be freed after the transfer.
    func setOptions(for request: HTTPRequest, _ proxies: ProxyExceptions) -> UnsafeMutablePointer<curl_slist>? {
        set(CURLOPT_URL, request.target)
        // As it stands, so that what the server sees is what was signed.
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_NOSIGNAL, 1)
        // A name that is being looked up must not hold up the thread when its request is cancelled.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_NOPROXY, proxies.list)
        // Every coding that libcurl knows.
        set(CURLOPT_ACCEPT_ENCODING, "")
        set(CURLOPT_USERAGENT, "Cumulet")
        // Servers close connections that nobody uses, most of them after a minute; one that is about to be closed is not used.
        set(CURLOPT_MAXAGE_CONN, 50)
        set(CURLOPT_BUFFERSIZE, 1 << 17)
        let isSecure = request.target.prefix(6).lowercased() == "https:"
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
        set(CURLOPT_MAXREDIRS, 16)
        setBody(of: request)
        var fields: UnsafeMutablePointer<curl_slist>?
        func append(_ line: String) { fields = curl_slist_append(fields, line) ?? fields }
        // These two libcurl would set by itself.
        append("Expect:")
        if request.headers["Content-Type"] == nil { append("Content-Type:") }
        // A field without a value would be one that is not sent.
        for (name, value) in request.headers.entries { append(value.isEmpty ? "\(name);" : "\(name): \(value)") }
        ccurl_set_headers(self, fields)
        return fields
    }

    private func setBody(of request: HTTPRequest) {
        // Of these libcurl knows what a redirect makes of them.
        var isCommon = true
        switch request.method {
        case "GET" where request.body.isEmpty && request.upload == nil: set(CURLOPT_HTTPGET, 1)
        case "HEAD": set(CURLOPT_NOBODY, 1)
        default:
            isCommon = request.method == "POST"
            if isCommon || request.upload != nil || !request.body.isEmpty { set(CURLOPT_POST, 1) }
            if !isCommon { set(CURLOPT_CUSTOMREQUEST, request.method) }
            if let upload = request.upload {
                ccurl_set_size(self, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(upload.size))
                set(CURLOPT_UPLOAD_BUFFERSIZE, 1 << 18)
            } else if isCommon || !request.body.isEmpty {
                request.body.withUnsafeBytes { _ = ccurl_set_body(self, $0.baseAddress, $0.count) }
            }
        }
        set(CURLOPT_FOLLOWLOCATION, isCommon ? 1 : 0)
    }

    private func set(_ option: CURLoption, _ value: Int) { ccurl_set_number(self, option, value) }
    private func set(_ option: CURLoption, _ value: String) { ccurl_set_text(self, option, value) }
}

extension CURLcode {
    /// - Parameter isSent: Whether anything of the request went to a server.
    func transportCode(isSent: Bool) -> HTTPTransportError.Code {
        switch self {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
            isSent ? .connectionLost : .unreachable
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: isSent ? .connectionLost : .invalidURL
        default: .connectionLost
        }
    }
}
