import CloudKit
import Glibc

/// What the module takes: `pushbench URL latency ROUNDS`, `pushbench URL records COUNT` and
/// `pushbench URL parked COUNT SERVICE_PID`. Each prints one line.
@main
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let url = URL(string: arguments[1]), let count = Int(arguments[3]) else {
            FileHandle.standardError.write(
                Data("usage: pushbench URL latency ROUNDS | records COUNT | parked COUNT PID\n".utf8))
            exit(64)
        }
        switch arguments[2] {
        case "latency": print(try await Latency(server: url).measure(rounds: count))
        case "records": print(try await Records(server: url).measure(count: count))
        case "parked" where arguments.count == 5:
            let process = ServiceProcess(pid: arguments[4])
            print(try await ParkedPolls(server: url, process: process).measure(count: count))
        default: exit(64)
        }
    }
}
