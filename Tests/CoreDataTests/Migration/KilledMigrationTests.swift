import Foundation
import TestSupport
import Testing

/// Migrations by a mapping model in a process that is killed, at calls to the file system from the first to the last.
@Suite("Migrations by a mapping model that are killed", .enabled(if: BuiltProgram.crashChild.exists))
struct KilledMigrationTests {
    /// Some calls from the first to the last, and as many among the last quarter, during which the file is replaced. The number of
    /// calls differs by a few from run to run.
    private func places(of calls: Int) -> [Int] {
        let (steps, last) = (0..<12, calls - 5)
        return Set(steps.map { 1 + $0 * (last - 1) / 11 } + steps.map { last - $0 * (last / 4) / 12 }).sorted()
    }

    @Test(
        "Killed at any call, a migration leaves the old or the new file, and the next migration has the same result",
        arguments: ["opening", "manager"], ["WAL", "DELETE"])
    func killed(way: String, journal: String) throws {
        let program = try MigratingProgram()
        let template = try program.folder("template")
        try #expect(program.run(["farm", template, journal]).lines == ["0"])
        let calls = try program.run(["map", way, journal, try program.copy(template, "whole"), "0"]).count
        #expect(calls > 100)
        let folders = try places(of: calls).map { nth in
            let folder = try program.copy(template, "case\(nth)")
            try #expect(program.run(["map", way, journal, folder, "\(nth)"]).isKilled, "call \(nth)")
            return folder
        }
        let result = try program.run(["mapped", way, journal] + folders)
        #expect(result.lines == ["\(folders.count)"])
    }
}
