import HTTPCore
import Synchronization
import Testing
import ViewServer

@Suite struct WindowTests {
    @Test func `a stream begins with all that the window shows`() async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        let text = await stream.read(until: "</main>")
        #expect(text.contains("Content-Type: text/event-stream"))
        #expect(text.contains(#"<span id=\"n3\">count 0<\/span>"#) || text.contains(#"<span id=\"n3\">count 0</span>"#))
        #expect(await served.app.opened == ["a"])
        stream.leave()
        await served.server.stop()
    }

    @Test func `events of one post are done in order, each after what the former changed was shown`() async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        // The second button is disabled until the first was clicked.
        let posted = await served.post(
            #"[{"i":"n1","t":"click","s":1},{"i":"n4","t":"click","s":2}]"#, to: "a", life: await stream.life())
        #expect(posted?.status == 204)
        #expect(await stream.read(until: "count 100").contains("count 1\""))
        stream.leave()
        await served.server.stop()
    }

    @Test func `an event that changes nothing is acknowledged`() async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        _ = await served.post(#"[{"i":"n999","t":"click","s":7}]"#, to: "a", life: await stream.life())
        #expect(await stream.read(until: #""k":7"#).contains(#"data: {"k":7}"#))
        stream.leave()
        await served.server.stop()
    }

    @Test func `what a field is to show says which input it answers`() async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        _ = await served.post(#"[{"i":"n2","t":"input","v":"onc","s":3}]"#, to: "a", life: await stream.life())
        #expect(await stream.read(until: "ONC").contains(#"["v","n2","ONC",3]"#))
        stream.leave()
        await served.server.stop()
    }

    @Test func `events that come again are done once`() async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        let life = await stream.life()
        for _ in 0..<3 { _ = await served.post(#"[{"i":"n1","t":"click","s":1}]"#, to: "a", life: life) }
        _ = await served.post(#"[{"i":"n1","t":"click","s":2}]"#, to: "a", life: life)
        let text = await stream.read(until: "count 2")
        #expect(text.contains("count 2") && !text.contains("count 3"))
        stream.leave()
        await served.server.stop()
    }

    @Test func `a stream that comes back is told what it missed, and nothing else`() async throws {
        let served = try await ServedApp()
        let first = await served.stream("a")
        let life = await first.life()
        _ = await served.post(#"[{"i":"n1","t":"click","s":1}]"#, to: "a", life: life)
        _ = await first.read(until: "count 1")
        let seen = first.last
        first.leave()
        _ = await served.post(#"[{"i":"n1","t":"click","s":2}]"#, to: "a", life: life)
        let again = await served.stream("a", since: seen)
        let text = await again.read(until: "count 2")
        #expect(text.contains("count 2") && !text.contains("<main") && !text.contains("count 1"))
        again.leave()
        await served.server.stop()
    }

    @Test(arguments: ["00000000-1", "nonsense", "-", "1"])
    func `a stream that has seen another window begins anew`(last: String) async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a", since: last)
        #expect(await stream.read(until: "</main>").contains("<main"))
        stream.leave()
        await served.server.stop()
    }

    @Test func `a stream that missed too much begins anew`() async throws {
        let served = try await ServedApp()
        let first = await served.stream("a")
        let life = await first.life()
        let seen = first.last
        for number in 1...40 {
            _ = await served.post(#"[{"i":"n1","t":"click","s":\#(number)}]"#, to: "a", life: life)
        }
        _ = await first.read(until: "count 40")
        first.leave()
        let again = await served.stream("a", since: seen)
        #expect(await again.read(until: "</main>").contains("<main"))
        again.leave()
        await served.server.stop()
    }

    @Test func `a second stream takes the window over, and the first is told`() async throws {
        let served = try await ServedApp()
        let first = await served.stream("a")
        _ = await first.read(until: "</main>")
        let second = await served.stream("a")
        #expect(await first.read(until: "event: moved").contains("event: moved"))
        #expect(await second.read(until: "</main>").contains("<main"))
        #expect(await served.app.opened == ["a"])
        first.leave()
        second.leave()
        await served.server.stop()
    }

    @Test func `a window that nobody shows is closed after a minute, and one that is shown is not`() async throws {
        let served = try await ServedApp()
        let shown = await served.stream("shown")
        let left = await served.stream("left")
        _ = await shown.read(until: "</main>")
        let life = await left.life()
        _ = await left.read(until: "</main>")
        // Taken over and ended by us, so that the server has seen its end.
        let last = await served.stream("left")
        _ = await last.read(until: "</main>")
        last.leave()
        left.leave()
        while await served.post(#"[{"i":"n1","t":"click","s":0}]"#, to: "left", life: life)?.status != 410 {
            served.clock.seconds.withLock { $0 += 61 }
            await served.server.sweep()
        }
        #expect(await served.app.closed == ["left"])
        shown.leave()
        await served.server.stop()
        #expect(await Set(served.app.closed) == ["left", "shown"])
    }

    @Test func `at most so many windows are open`() async throws {
        let served = try await ServedApp { $0.windowLimit = 2 }
        var streams: [StreamReader] = []
        for name in ["a", "b"] {
            let stream = await served.stream(name)
            _ = await stream.read(until: "</main>")
            streams.append(stream)
        }
        #expect(await served.send("GET", "/live?w=c")?.status == 503)
        for name in ["", "a b", "a-b", String(repeating: "a", count: 65)] {
            #expect(await served.send("GET", "/live?w=\(name.replacing(" ", with: "%20"))")?.status == 400)
        }
        for stream in streams { stream.leave() }
        await served.server.stop()
    }

    @Test func `events are bounded in bytes and number, and must be events`() async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        let life = await stream.life()
        let event = #"{"i":"n1","t":"click","s":0}"#
        let many = "[\(Array(repeating: event, count: 201).joined(separator: ","))]"
        #expect(await served.post(many, to: "a", life: life)?.status == 400)
        let long = #"[{"i":"n2","t":"input","v":"\#(String(repeating: "x", count: 256 * 1024))","s":1}]"#
        #expect(await served.post(long, to: "a", life: life)?.status == 413)
        for bad in [
            "", "[]", "{}", "nonsense", "[1]", #"[{"t":"click"}]"#,
            #"[{"i":"n5","t":"files","v":"[\"/etc/passwd\"]"}]"#,
        ] {
            #expect(await served.post(bad, to: "a", life: life)?.status == 400, "\(bad)")
        }
        #expect(await served.post("[\(event)]", to: "a", life: "0")?.status == 410)
        #expect(await served.post("[\(event)]", to: "b", life: life)?.status == 410)
        #expect(await served.app.files.isEmpty)
        stream.leave()
        await served.server.stop()
    }
}
