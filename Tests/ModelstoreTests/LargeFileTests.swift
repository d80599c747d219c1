import Foundation
import Testing

@testable import SQLiteStore

/// A million rows: what is looked at first comes at once, and an export needs no more memory than a page.
@Suite("Large files", .enabled(if: Tool.exists))
struct LargeFileTests {
    private static let rows = 1_000_000

    /// Every tenth row; all of them with `MODELSTORE_ROWS=all`.
    private static let part =
        ProcessInfo.processInfo.environment["MODELSTORE_ROWS"] == "all"
        ? [] : ["--entity", "Book", "--where", "pages < 50"]

    private func makeLarge(_ tool: Tool) throws -> String {
        try Library.makeFile(at: tool.url("large.store"))
        let connection = try Connection(.file(tool.url("large.store")), access: .readWrite)
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows + 99))
            INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZISLENT, ZSHELF, ZTITLE)
            SELECT i, 1, 1, i % 500, 0, i % 3 + 1, 'Volume ' || i FROM n
            """)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.rows + 99) WHERE Z_NAME = 'Book'")
        return tool.path("large.store")
    }

    private func seconds(_ tool: Tool, _ arguments: [String]) throws -> Double {
        let start = ContinuousClock.now
        let result = try tool.run(arguments)
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        let elapsed = ContinuousClock.now - start
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }

    @Test("A million rows")
    func million() throws {
        let tool = try Tool()
        let path = try makeLarge(tool)
        // Far above what they take (a few hundredths of a second), as machines that run tests are busy.
        for arguments in [
            ["info", path], ["schema", path], ["rows", path, "Book"],
            ["rows", path, "Book", "--where", "title == 'Volume 777777'"],
            ["show", path, "Shelf/p1", "--limit", "3"],
        ] {
            let time = try seconds(tool, arguments)
            #expect(time < 5, "\(arguments): \(time) s")
        }
        let before = Self.childPeak
        _ = try seconds(tool, ["export", path, "--format", "ndjson", "-o", tool.path("out.ndjson")] + Self.part)
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: tool.path("out.ndjson"))[.size] as? NSNumber)
        #expect(size.intValue > 8_000_000)
        // The peak of any child so far: others are small.
        #expect(Self.childPeak <= max(before, 100_000_000), "\(Self.childPeak) bytes")
    }

    /// In bytes.
    private static var childPeak: Int {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
        return usage.ru_maxrss * 1024
    }
}
