import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Following the history of a file that is replaced.
@Suite("Following a file that is replaced", .enabled(if: Tool.exists))
struct FollowTests {
    private func waits(_ seconds: Double = 30, until isSo: () -> Bool) -> Bool {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if isSo() { return true }
            RunLoop.current.run(until: Date().addingTimeInterval(0.02))
        }
        return false
    }

    /// Atomically, as an app or a person replaces a file.
    private func replace(_ tool: Tool, by name: String) throws {
        #expect(rename(tool.path(name), tool.path("a.store")) == 0)
    }

    private func delete(_ tool: Tool, _ label: String) throws {
        let deleted = try tool.run(
            "delete", tool.path("a.store"), "Label", "--where", "text BEGINSWITH '\(label)'", "--write", "--yes",
            "--no-backup", "--in-use")
        #expect(deleted.status == 0, "\(deleted.errors)")
    }

    @Test("A file replaced by another store is not followed any more, which is reported")
    func otherStore() throws {
        let tool = try Tool()
        let path = try tool.library()
        try Library.makeFile(at: tool.url("other.store"))
        let running = try tool.start(["history", path, "-f", "--format", "ndjson"])
        defer { running.process.terminate() }
        #expect(waits { running.outputSoFar.contains("Shelf/p1") })
        try replace(tool, by: "other.store")
        #expect(waits { !running.process.isRunning })
        running.process.terminate()
        let result = try running.wait()
        #expect(result.status == 2 && result.errors.contains("was replaced by another store"), "\(result.errors)")
    }

    @Test("A file that is put back to an earlier state is followed from there")
    func earlierState() throws {
        let tool = try Tool()
        let path = try tool.library()
        try FileManager.default.copyItem(at: tool.url("a.store"), to: tool.url("copy.store"))
        try delete(tool, "old")
        let running = try tool.start(["history", path, "-f", "--format", "ndjson"])
        defer { running.process.terminate() }
        #expect(waits { running.outputSoFar.contains("\"object\":\"Label/p1\"") })
        try replace(tool, by: "copy.store")
        #expect(waits { running.errorsSoFar.contains("was put back to an earlier state") })
        try delete(tool, "new")
        #expect(waits { running.outputSoFar.contains("\"kind\":\"delete\",\"object\":\"Label/p2\"") })
        running.process.interrupt()
        #expect(try running.wait().status == 130)
    }

    @Test("A file behind a symbolic link is followed with its log")
    func link() throws {
        let tool = try Tool()
        let open = try Library.make(at: tool.url("b.store"))
        try FileManager.default.createSymbolicLink(
            at: tool.url("open.store"), withDestinationURL: tool.url("b.store"))
        let running = try tool.start(["history", tool.path("open.store"), "-f", "--format", "ndjson"])
        defer { running.process.terminate() }
        #expect(waits { running.outputSoFar.contains("Shelf/p1") })
        // Only the log grows.
        _ = try open.delete(DeleteRequest(.everything))
        #expect(waits { running.outputSoFar.contains("\"kind\":\"delete\"") })
        running.process.interrupt()
        #expect(try running.wait().status == 130)
        withExtendedLifetime(open) {}
    }
}
