import Foundation
import Testing

@testable import CloudCommands

/// Programs that a stage runs beside itself.
@Suite struct `A program of the stage` {
    private func program(_ text: String, _ environment: [String: String] = [:]) -> StageProcess {
        StageProcess(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", text], environment: environment)
    }

    @Test func `that prepares devices is told where they are, and waited for`() async throws {
        let process = program("echo \"preparing $CUMULET_DEVICES\"; echo done", ["CUMULET_DEVICES": "/tmp/devices"])
        let said = try await process.run()
        #expect(said == "preparing /tmp/devices\ndone\n")
    }

    @Test func `that ends while others come and go is heard to its end, be it the hundredth`() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 { group.addTask { try await program("echo \(number); exec >&-").run() } }
            let said = try await group.reduce(into: Set<String>()) { $0.insert($1) }
            #expect(said.count == 100)
        }
    }

    @Test func `that fails is told with its last words`() async throws {
        let process = program("echo 'no recipe called cake' >&2; exit 3")
        let failure = await #expect(throws: Failure.self) { try await process.run() }
        let words = String(describing: failure)
        #expect(words.contains("ended with code 3") && words.contains("no recipe called cake"), "\(words)")
    }

    @Test func `that says what is waited for goes on, and ends when it is asked to`() async throws {
        let process = program("echo 'showing on here'; exec sleep 60")
        #expect(try await process.start(awaiting: "showing on ") == "here")
        #expect(process.isRunning)
        let begun = ContinuousClock.now
        await process.stop()
        #expect(ContinuousClock.now - begun < .seconds(4), "it hears that it is to end")
        #expect(!process.isRunning)
    }
}
