import Foundation
import TestSupport
import Testing

/// Migrations in a process that is killed or whose file system fails, at calls to it from the first to the last.
@Suite("Migrations that are killed or fail half way", .enabled(if: CrashChild.exists))
struct MigrationCrashTests {
    @Test("killed at any call, the file is in its old or new state, and migrates with the same result")
    func killed() throws {
        let child = try CrashChild()
        defer { child.remove() }
        try #expect(child.run("make", child.folder("template"), "4", "3").status == .exited(0))
        let calls = try child.run("migrate", try child.copy("template", "whole"), "0").count
        #expect(calls > 20)
        var folders: [String] = []
        let first = 1 + Int(Seeds.base % UInt64(Seeds.callDistance))
        for nth in stride(from: first, through: calls, by: Seeds.callDistance) {
            let folder = try child.copy("template", "case\(nth)")
            #expect(try child.run("migrate", folder, "\(nth)").status == .killed, "call \(nth)")
            folders.append(folder)
        }
        let result = try child.run(["migrated", child.folder("template")] + folders)
        #expect(result.status == .exited(0), "\(result.lines)")
        #expect(result.lines == ["\(folders.count)"])
    }

    @Test("if any call fails, the file is migrated or unchanged")
    func faults() throws {
        let child = try CrashChild()
        defer { child.remove() }
        try #expect(child.run("make", child.folder("template"), "4", "3").status == .exited(0))
        let result = try child.run(
            ["migration", child.folder("template"), child.folder("scratch")] + CrashChild.places)
        #expect(result.status == .exited(0), "\(result.lines)")
        #expect(result.lines.count == 1, "\(result.lines)")
        #expect(result.count > 100 / Seeds.callDistance)
    }
}
