import Foundation
import FoundationNetworking
import HTTPCore
import Synchronization

/// The two sessions of a transport: one whose tasks have completion handlers, and one that tells how uploads get on.
/// Both call back on one serial queue.
final class URLSessions: Sendable {
    let queue: OperationQueue
    let plain: URLSession
    private let uploading: URLSession
    private let uploads = UploadDelegate()

    init(_ configuration: URLSessionConfiguration) {
        queue = OperationQueue()
        queue.name = "cumulet.http"
        queue.maxConcurrentOperationCount = 1
        plain = URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
        uploading = URLSession(configuration: configuration, delegate: uploads, delegateQueue: queue)
    }

    // A session holds its delegate until it is told that no more tasks come.
    deinit { uploading.finishTasksAndInvalidate() }

    /// A task that sends a file, to be resumed by the caller.
    func uploadTask(
        with request: URLRequest, _ upload: HTTPUpload, progress: @escaping @Sendable (Int64) -> Void,
        completion: @escaping UploadDelegate.Completion
    ) -> URLSessionDataTask {
        let task = uploading.uploadTask(with: request, fromFile: URL(fileURLWithPath: upload.path))
        uploads.expect(task, progress: progress, completion: completion)
        return task
    }
}

/// Hands what a session tells of its uploads to whoever waits for each.
///
/// Unchecked: all that changes is behind `running`'s lock; `NSObject` alone keeps the compiler from seeing it.
final class UploadDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    private struct Upload {
        var progress: @Sendable (Int64) -> Void
        var completion: Completion
        var answer = Data()
    }

    private let running = Mutex<[Int: Upload]>([:])

    func expect(
        _ task: URLSessionTask, progress: @escaping @Sendable (Int64) -> Void, completion: @escaping Completion
    ) {
        running.withLock { $0[task.taskIdentifier] = Upload(progress: progress, completion: completion) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        running.withLock { $0[task.taskIdentifier]?.progress }?(totalBytesSent)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        running.withLock { $0[dataTask.taskIdentifier]?.answer.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let upload = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        upload.completion(upload.answer, task.response, error)
    }
}
