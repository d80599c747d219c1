import Foundation
import Testing

/// Deletes in a process that is killed or whose file system fails. Calls to the file system are counted, so that every
/// place is hit on purpose and again.
@Suite("Deletes that are killed or fail half way", .enabled(if: CrashChild.exists))
struct CrashTests {
    @Test("killed at any call, the file obeys the rules, and the job goes on to the same end", arguments: UInt64(0)..<3)
    func killed(seed: UInt64) throws {
        let child = try CrashChild()
        defer { child.remove() }
        try #expect(child.run("make", child.folder("template"), "6", "5").status == .exited(0))
        let calls = try child.run("run", try child.copy("template", "whole"), "0").count
        #expect(calls > 100)
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit)) + 1
        }
        var folders: [String] = []
        for number in 0..<12 {
            let folder = try child.copy("template", "case\(number)")
            let nth = random(calls)
            #expect(try child.run("run", folder, "\(nth)").status == .killed, "seed \(seed), call \(nth)")
            // Some are killed again when they go on; a resumed run may end before its call comes.
            if number % 3 == 0 { _ = try child.run("run", folder, "\(random(calls / 2))") }
            folders.append(folder)
        }
        let result = try child.run(["verify", child.folder("template")] + folders)
        #expect(result.status == .exited(0), "seed \(seed): \(result.lines)")
        #expect(result.lines == ["\(folders.count)"], "seed \(seed)")
    }

    @Test("whatever call fails, a delete in one transaction is done or not done")
    func plainFaults() throws {
        let result = try faults("plain", shelves: 6, boxesEach: 5)
        #expect(result.status == .exited(0), "\(result.lines)")
        #expect(result.lines.count == 1, "\(result.lines)")
        #expect(result.count > 100)
    }

    @Test("whatever call fails, a delete in chunks obeys the rules and goes on")
    func chunkedFaults() throws {
        let result = try faults("chunked", shelves: 4, boxesEach: 2)
        #expect(result.status == .exited(0), "\(result.lines)")
        #expect(result.lines.count == 1, "\(result.lines)")
        #expect(result.count > 200)
    }

    private func faults(_ mode: String, shelves: Int, boxesEach: Int) throws -> CrashChild.Result {
        let child = try CrashChild()
        defer { child.remove() }
        try #expect(
            child.run("make", child.folder("template"), "\(shelves)", "\(boxesEach)").status == .exited(0))
        return try child.run(mode, child.folder("template"), child.folder("scratch"))
    }
}
