import Foundation
import TestSupport
import Testing

/// Deletes in a process that is killed or whose file system fails. Calls to the file system are counted, so that every place is hit
/// deliberately and repeatably.
@Suite("Deletes that are killed or fail half way", .enabled(if: CrashChild.exists))
struct CrashTests {
    @Test(
        "killed at any call, the file obeys the rules, and the resumed job has the same result",
        arguments: Seeds.rounds(3))
    func killed(seed: UInt64) throws {
        let child = try CrashChild()
        defer { child.remove() }
        let template = try template(child)
        let calls = try child.run("run", try child.copy("template", "whole"), "0").count
        #expect(calls > 100)
        var random = SeededGenerator(seed: seed)
        var folders: [String] = []
        for number in 0..<12 {
            let folder = try child.copy("template", "case\(number)")
            try kill(child, "run", folder, &random, calls)
            // Some are killed again when they are resumed; a resumed run may end before its call comes.
            if number % 3 == 0 { _ = try child.run("run", folder, "\(random.roll(calls / 2) + 1)") }
            folders.append(folder)
        }
        let result = try child.run(["verify", template] + folders)
        #expect(result.status == .exited(0), "seed \(seed): \(result.lines)")
        #expect(result.lines == ["\(folders.count)"], "seed \(seed)")
    }

    @Test("killed while it archives or restores rows, a delete can be restored completely", arguments: Seeds.rounds(2))
    func killedKept(seed: UInt64) throws {
        let child = try CrashChild()
        defer { child.remove() }
        let template = try template(child)
        let whole = try child.copy("template", "whole")
        let calls = try child.run("keep", whole, "0").count
        let restoreCalls = try child.run("restore", try child.copy("whole", "restored"), "0").count
        #expect(calls > 100 && restoreCalls > 100)
        var random = SeededGenerator(seed: seed)
        var folders: [String] = []
        for number in 0..<12 {
            let folder = try child.copy(number % 2 == 0 ? "template" : "whole", "case\(number)")
            if number % 2 == 0 {
                try kill(child, "keep", folder, &random, calls)
            } else {
                try kill(child, "restore", folder, &random, restoreCalls)
            }
            folders.append(folder)
        }
        let result = try child.run(["kept", template] + folders)
        #expect(result.status == .exited(0), "seed \(seed): \(result.lines)")
        #expect(result.lines == ["\(folders.count)"], "seed \(seed)")
    }

    private func template(_ child: CrashChild) throws -> String {
        let folder = child.folder("template")
        try #expect(child.run("make", folder, "6", "5").status == .exited(0))
        return folder
    }

    private func kill(
        _ child: CrashChild, _ mode: String, _ folder: String, _ random: inout SeededGenerator, _ calls: Int
    ) throws {
        // The number of calls differs by a few from run to run.
        let nth = random.roll(max(calls - 20, 1)) + 1
        #expect(try child.run(mode, folder, "\(nth)").status == .killed, "\(mode) \(folder), call \(nth)")
    }

    @Test(
        "if any call fails, changes of rows and files in one transaction are done completely or not at all",
        arguments: ["plain", "kept", "restoring", "purging", "saving", "batch"])
    func wholeFaults(act: String) throws {
        let result = try faults(["fault", act], shelves: 2, boxesEach: 2)
        #expect(result.status == .exited(0), "\(result.lines)")
        #expect(result.lines.count == 1, "\(result.lines)")
        #expect(result.count > 50 / Seeds.callDistance)
    }

    @Test("if any call fails, a delete in chunks obeys the rules and can be resumed")
    func chunkedFaults() throws {
        let result = try faults(["chunked"], shelves: 4, boxesEach: 2)
        #expect(result.status == .exited(0), "\(result.lines)")
        #expect(result.lines.count == 1, "\(result.lines)")
        #expect(result.count > 200 / Seeds.callDistance)
    }

    private func faults(_ mode: [String], shelves: Int, boxesEach: Int) throws -> CrashChild.Result {
        let child = try CrashChild()
        defer { child.remove() }
        try #expect(
            child.run("make", child.folder("template"), "\(shelves)", "\(boxesEach)").status == .exited(0))
        return try child.run(mode + [child.folder("template"), child.folder("scratch")] + CrashChild.places)
    }
}
