import Foundation
import Testing

/// Migrations by a mapping model in a process that is killed, at calls to the file system from the first to the last.
@Suite("Migrations by a mapping model that are killed", .enabled(if: ChildProgram.exists))
struct KilledMigrationTests {
    private static let mostCases = 60

    @Test(
        "Killed at any call, the file is as before or as after, and the next migration comes to the same end",
        arguments: ["opening", "manager"], ["WAL", "DELETE"])
    func killed(way: String, journal: String) throws {
        let program = try MigratingProgram()
        let template = try program.folder("template")
        try #expect(program.run(["farm", template, journal]).lines == ["0"])
        let calls = try program.run(["map", way, journal, try program.copy(template, "whole"), "0"]).count
        print("CALLS", way, journal, calls)
        #expect(calls > Self.mostCases)
        var folders: [String] = []
        // Every second write is torn, so both parities are tried.
        for number in 0..<Self.mostCases {
            let nth = 1 + number * (calls - 1) / (Self.mostCases - 1)
            let folder = try program.copy(template, "case\(nth)")
            try #expect(program.run(["map", way, journal, folder, "\(nth)"]).isKilled, "call \(nth)")
            folders.append(folder)
        }
        let result = try program.run(["mapped", way, journal] + folders)
        #expect(result.lines == ["\(folders.count)"])
    }
}
