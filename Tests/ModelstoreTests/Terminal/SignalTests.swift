import Foundation
import Testing

/// A command that receives a signal cleans up.
@Suite("Signals", .enabled(if: Tool.exists))
struct SignalTests {
    private func waits(_ seconds: Double = 20, until isSo: () -> Bool) -> Bool {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if isSo() { return true }
            RunLoop.current.run(until: Date().addingTimeInterval(0.02))
        }
        return false
    }

    private func copies(_ tool: Tool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tool.temporaryFolder.path)
    }

    @Test(
        "The private copy of a file in use is removed with the command, however it ends",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func privateCopy(number: Int32) throws {
        let tool = try Tool()
        let open = try Library.make(at: tool.url("a.store"))
        let running = try tool.start(["browse", tool.path("a.store")])
        #expect(waits { running.outputSoFar.contains("http://127.0.0.1") })
        #expect(try copies(tool).count == 1)
        kill(running.process.processIdentifier, number)
        let result = try running.wait()
        #expect(result.status == 128 + number && !result.wasKilled, "\(result.errors)")
        #expect(try copies(tool).isEmpty)
        withExtendedLifetime(open) {}
    }

    @Test("Copies of killed processes are removed by the next process that makes one, and no others")
    func abandoned() throws {
        let tool = try Tool()
        let open = try Library.make(at: tool.url("a.store"))
        let files = FileManager.default
        func leave(_ name: String) throws -> URL {
            let folder = tool.temporaryFolder.appendingPathComponent(name, isDirectory: true)
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: folder.appendingPathComponent(".claim"))
            try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -600)], ofItemAtPath: folder.path)
            return folder
        }
        _ = try leave("modelstore-dead")
        let alive = try FileHandle(forReadingFrom: leave("modelstore-alive").appendingPathComponent(".claim"))
        #expect(flock(alive.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        _ = try leave("other")
        #expect(try tool.run("info", tool.path("a.store")).status == 0)
        #expect(try copies(tool).sorted() == ["modelstore-alive", "other"])
        withExtendedLifetime((open, alive)) {}
    }

    @Test("An import from a pipe reads its input, and ends at once while there is none")
    func pipe() throws {
        let tool = try Tool()
        let path = try tool.library()
        let pipe = tool.path("rows.ndjson")
        #expect(mkfifo(pipe, 0o600) == 0)
        for row in [#"{"$entity": "Shelf", "name": "top"}"#, nil] {
            let running = try tool.start(["import", path, pipe])
            var descriptor: Int32 = -1
            // Fails until the pipe has a reader.
            #expect(
                waits {
                    descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
                    return descriptor >= 0
                })
            if let row {
                #expect(write(descriptor, row, row.utf8.count) == row.utf8.count)
                close(descriptor)
                let result = try running.wait()
                #expect(result.status == 0 && result.output.contains("To import: 1 Shelf"), "\(result.errors)")
            } else {
                kill(running.process.processIdentifier, SIGINT)
                let result = try running.wait()
                #expect(result.status == 130 && !result.wasKilled, "\(result.errors)")
                close(descriptor)
            }
        }
    }
}
