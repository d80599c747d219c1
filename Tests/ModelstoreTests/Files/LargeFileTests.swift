#if os(Linux)
import Foundation
import Testing

@testable import SQLiteStore

/// A million rows: a first look reads a few pages of the file, and an export needs no more memory than a page, whatever the rows
/// are linked to.
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

    /// Books of the first rows that have 64 labels, 2,000 on each.
    private func addLinks(_ tool: Tool) throws {
        let connection = try Connection(.file(tool.url("large.store")), access: .readWrite)
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 163)
            INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT i, 3, 1, 'Label ' || i FROM n
            """)
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 127999)
            INSERT INTO Z_1LABELS (Z_1BOOKS, Z_3LABELS) SELECT 100 + i, 100 + i / 2000 FROM n
            """)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 163 WHERE Z_NAME = 'Label'")
    }

    /// How much of the file a command reads, including its own program.
    private func share(_ arguments: [String], of path: String) throws -> Double {
        let process = try Spawned([Tool.program.path] + arguments, environment: [:]) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        let bytes = try #require(process.bytesReadUntilEnd())
        #expect(process.wait() == 0, "\(arguments)")
        let size = try #require(FileStamp(URL(fileURLWithPath: path))?.size)
        return Double(bytes) / Double(size)
    }

    @Test("A million rows")
    func million() throws {
        let tool = try Tool()
        let path = try makeLarge(tool)
        // Some rows are shown without a scan: an index finds them. Counting reads an index of the rows from end to end. The program
        // reads a little when it starts.
        for (arguments, most) in [
            (["schema", path], 0.02), (["rows", path, "Book", "--limit", "50"], 0.02),
            (["rows", path, "Book", "--where", "title == 'Volume 777777'"], 0.02),
            (["show", path, "Book/p777777"], 0.02),
            (["info", path], 0.3), (["rows", path, "Book"], 0.3), (["show", path, "Shelf/p1", "--limit", "3"], 0.5),
        ] {
            let share = try share(arguments, of: path)
            #expect(share < most, "\(arguments): \(share) of the file")
        }
        let (bytes, peak) = try export(["export", path, "--format", "ndjson"] + Self.part)
        #expect(bytes > 8_000_000)
        #expect(peak < 100_000_000, "\(peak) bytes")
        try addLinks(tool)
        let (shown, peakOfLinks) = try export(["rows", path, "Label", "--with", "books", "--format", "ndjson"])
        #expect(shown > 20_000_000)
        #expect(peakOfLinks < 100_000_000, "\(peakOfLinks) bytes")
    }

    /// - Returns: the bytes written, and the maximum memory meanwhile. Read from the process while it lives: the system's values of
    ///   ended children include the tests' own memory before they were started.
    private func export(_ arguments: [String]) throws -> (bytes: Int, peak: Int) {
        let process = Process()
        process.executableURL = Tool.program
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        var bytes = 0
        var peak = 0
        while true {
            let read = pipe.fileHandleForReading.readData(ofLength: 1 << 20)
            if read.isEmpty { break }
            bytes += read.count
            peak = max(peak, peakMemory(of: process.processIdentifier) ?? 0)
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(peak > 0)
        return (bytes, peak)
    }

    /// In bytes; nil if the process has ended.
    private func peakMemory(of process: Int32) -> Int? {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
#endif
