import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A child process` {
    @Test func `of hundreds started by many tasks at once each tells its own end`() async throws {
        let statuses = try await withThrowingTaskGroup(of: (Int32, ChildProcess.Status).self) { group in
            for code: Int32 in 0..<200 {
                group.addTask {
                    (code, try await ChildProcess("/bin/sh", ["-c", "exit \(code)"]).waitUntilExit())
                }
                group.addTask { (0, try await ChildProcess("/bin/true").waitUntilExit()) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 400)
        #expect(statuses.allSatisfy { $0.1 == .exited($0.0) })
    }

    @Test func `is reaped at its end, and every wait hears of it`() async throws {
        let child = try ChildProcess("true")
        #expect(await child.waitUntilExit() == .exited(0))
        #expect(await child.waitUntilExit() == .exited(0))
        #expect(!child.isRunning)
        var status: Int32 = 0
        #expect(waitpid(child.id, &status, WNOHANG) == -1 && errno == ECHILD)
    }

    @Test func `ends by a signal`() async throws {
        let children = try (0..<3).map { _ in try ChildProcess("sleep", ["1000"]) }
        children[0].terminate()
        children[1].kill()
        children[2].signal(SIGINT)
        var ends: [ChildProcess.Status] = []
        for child in children { ends.append(await child.waitUntilExit()) }
        #expect(ends == [.signalled(SIGTERM), .signalled(SIGKILL), .signalled(SIGINT)])
    }

    @Test func `is killed when it is dropped or its wait is cancelled`() async throws {
        let output = try ChildProcess("sleep", ["1000"], standardOutput: .pipe).output
        #expect(await output.rest() == "")
        let waiting = Task { try await ChildProcess("sleep", ["1000"]).waitUntilExit() }
        waiting.cancel()
        #expect(try await waiting.value == .signalled(SIGKILL))
    }

    @Test func `takes its whole group along`() async throws {
        let script = "sleep 1000 & echo started; wait"
        let child = try ChildProcess("/bin/sh", ["-c", script], standardOutput: .pipe, ownGroup: true)
        #expect(await child.output.line() == "started")
        child.terminate()
        #expect(await child.output.rest() == "")  // nobody holds the pipe any more
        #expect(await child.waitUntilExit() == .signalled(SIGTERM))
    }

    @Test func `gives its output line by line, then the rest`() async throws {
        let script = "printf 'one\\ntwo\\nthree\\nfour'; echo wrong >&2"
        let child = try ChildProcess("/bin/sh", ["-c", script], standardOutput: .pipe, standardError: .pipe)
        #expect(await child.output.line() == "one")
        #expect(await child.output.line() == "two")
        #expect(await child.output.rest() == "three\nfour")
        #expect(await child.output.line() == "")
        #expect(await child.errors.rest() == "wrong\n")
    }

    @Test func `writes more than a pipe holds before anybody reads`() async throws {
        let child = try ChildProcess("head", ["-c", "1000000", "/dev/zero"], standardOutput: .pipe)
        #expect(await child.waitUntilExit() == .exited(0))
        #expect(await child.output.rest().utf8.count == 1_000_000)
    }

    @Test func `has both streams in one pipe, or each in a file`() async throws {
        let words = ["-c", "echo out; echo err >&2"]
        let joined = try ChildProcess("/bin/sh", words, standardOutput: .pipe, standardError: nil)
        #expect(await joined.output.rest() == "out\nerr\n")
        let file = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let filed = try ChildProcess(
            "/bin/sh", words, standardOutput: .discarded, standardError: .file(file.path))
        #expect(await filed.waitUntilExit().isSuccess)
        #expect(try String(contentsOf: file, encoding: .utf8) == "err\n")
    }

    @Test func `has the folder and the variables that it is given`() async throws {
        let environment = ChildEnvironment.inherited.adding(["CHILD_ONE": "1", "CHILD_TWO": "2"]).removing("CHILD_TWO")
        let script = "pwd; echo ${CHILD_ONE-none} ${CHILD_TWO-none}; [ -n \"$PATH\" ]"
        let child = try ChildProcess(
            "/bin/sh", ["-c", script], environment: environment, folder: "/usr", standardOutput: .pipe)
        #expect(await child.output.rest() == "/usr\n1 none\n")
        #expect(await child.waitUntilExit().isSuccess)
    }

    @Test func `gets no descriptor but its three streams`() async throws {
        let open = dup(STDERR_FILENO)  // without close-on-exec
        defer { close(open) }
        let child = try ChildProcess("/bin/sh", ["-c", "echo /proc/$$/fd/*"], standardOutput: .pipe)
        let names = await child.output.rest().split(whereSeparator: \.isWhitespace).compactMap {
            Int32($0.split(separator: "/").last ?? "")
        }
        #expect(open > 2 && Set(names).isSuperset(of: [0, 1, 2]) && !names.contains(open), "\(names)")
    }

    @Test func `that cannot start is an error`() {
        let error = #expect(throws: ChildProcess.StartError.self) { _ = try ChildProcess("no-such-program") }
        #expect(error?.number == ENOENT)
        #expect(throws: ChildProcess.StartError.self) { _ = try ChildProcess("true", folder: "/no/such/folder") }
    }
}
