import Foundation
import Testing

@Suite("Deletes in chunks with another process at work", .enabled(if: CrashChild.exists))
struct TwoProcessTests {
    /// Seconds: the budget of a chunk, 50 ms, and a margin for a busy machine. A call that waits longer fails, and its process with
    /// it.
    private static let longestWait = "2.05"

    @Test("no process waits longer than a chunk's budget and two seconds, and nothing is lost")
    func twoProcesses() throws {
        let child = try CrashChild()
        defer { child.remove() }
        let (folder, apart) = (child.folder("template"), "apart")
        try #expect(child.run("make", folder, "80", "10").status == .exited(0))
        let copy = try child.copy("template", apart)
        let alone = try child.run("delete", copy, Self.longestWait)
        #expect(alone.status == .exited(0), "\(alone.lines)")

        let worker = try child.start(["work", folder, Self.longestWait])
        worker.waitForWord()
        let deleted = try child.run("delete", folder, Self.longestWait)
        try Data().write(to: URL(fileURLWithPath: folder).appendingPathComponent("stop"))
        let worked = worker.result()

        #expect(deleted.status == .exited(0), "\(deleted.lines)")
        #expect(deleted.count == alone.count)
        // 40 shelves, ten boxes in each, two things in each.
        #expect(deleted.count == 40 + 400 + 800)
        #expect(worked.status == .exited(0), "\(worked.lines)")
        #expect(worked.lines.count == 1, "\(worked.lines)")
        #expect(worked.count > 0, "nothing was written while the other deleted")
    }
}
