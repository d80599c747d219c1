import Foundation
import TestSupport
import Testing

@testable import SQLiteStore

/// Output of commands about a store made by the tests, as recorded in `Expected/`. With `MODELSTORE_RECORD=1` the files are written
/// anew, to be reviewed before they are committed.
@Suite("Expected output", .enabled(if: Tool.exists))
struct ExpectedOutputTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Expected", isDirectory: true)
    private static let isRecording = ProcessInfo.processInfo.environment["MODELSTORE_RECORD"] == "1"

    static let commands: [(name: String, arguments: [String])] = [
        ("count.txt", ["count", "a.store"]),
        ("schema.txt", ["schema", "a.store"]),
        ("schema.json", ["schema", "a.store", "--format", "json"]),
        ("schema.csv", ["schema", "a.store", "--format", "csv"]),
        ("schema.swift.txt", ["schema", "a.store", "--as", "swift"]),
        ("schema.svg", ["schema", "a.store", "--as", "svg"]),
        ("rows.txt", ["rows", "a.store", "Book"]),
        (
            "rows-chosen.txt",
            [
                "rows", "a.store", "Book", "--where", "pages > 30 AND shelf.name != 'Maps'", "--sort",
                "shelf.name,-pages", "--columns", "title,pages,labels", "--limit", "4",
            ]
        ),
        ("rows.csv", ["rows", "a.store", "Book", "--with", "labels", "--format", "csv"]),
        ("rows.json", ["rows", "a.store", "Shelf", "--with", "books", "--format", "json", "--limit", "1"]),
        ("show.txt", ["show", "a.store", "Book/p5"]),
        ("show-shelf.txt", ["show", "a.store", "Shelf/p1", "--limit", "2"]),
        ("show.json", ["show", "a.store", "Book/p7", "--format", "json"]),
        ("plan.txt", ["plan", "a.store", "Shelf"]),
        ("plan.json", ["plan", "a.store", "Shelf", "--where", "name == 'Animals'", "--format", "json"]),
        ("plan-denied.txt", ["plan", "a.store", "Reader"]),
        ("check.txt", ["check", "a.store"]),
        ("lint.txt", ["lint", "a.store"]),
        ("export.json", ["export", "a.store"]),
        ("export.ndjson", ["export", "a.store", "--format", "ndjson", "--entity", "Book", "--where", "pages < 30"]),
        ("info.txt", ["info", "a.store"]),
        ("info.json", ["info", "a.store", "--format", "json"]),
        ("history.txt", ["history", "a.store"]),
        ("history.ndjson", ["history", "a.store", "--export"]),
        ("diff.txt", ["diff", "b.store", "a.store"]),
        ("diff.json", ["diff", "b.store", "a.store", "--format", "json"]),
        ("restore-list.txt", ["restore", "a.store"]),
        ("restore-plan.txt", ["restore", "a.store", "TOKEN"]),
        ("restore.txt", ["restore", "a.store", "TOKEN", "--write"]),
        ("delete.txt", ["delete", "a.store", "Shelf", "--where", "name == 'Maps'", "--write", "--yes"]),
        ("erase-traces.txt", ["erase", "a.store", "--traces"]),
        ("erase.txt", ["erase", "a.store", "Book", "--where", "pages == 30", "--write", "--yes"]),
        ("import-plan.txt", ["import", "a.store", "in.ndjson", "--leave-out-links"]),
        ("import.txt", ["import", "a.store", "in.ndjson", "--leave-out-links", "--write", "--yes"]),
        ("import-refused.txt", ["import", "a.store", "in.ndjson"]),
        ("export-csv.txt", ["export", "a.store", "--format", "csv", "-o", "out"]),
        ("help.txt", ["--help"]), ("help-delete.txt", ["delete", "--help"]),
    ]

    /// Of those, about a changed store: one of its labels was deleted, and another one renamed by another author.
    private static let changed: Set<String> = [
        "info.txt", "info.json", "history.txt", "history.ndjson", "diff.txt", "diff.json", "restore-list.txt",
        "restore-plan.txt", "restore.txt", "erase-traces.txt", "erase.txt",
    ]

    private func change(_ tool: Tool) throws {
        try FileManager.default.copyItem(at: tool.url("a.store"), to: tool.url("b.store"))
        let deleted = try tool.run(
            "delete", "a.store", "Label", "--where", "text == 'old'", "--write", "--yes", "--no-backup")
        #expect(deleted.status == 0, "\(deleted.errors)")
        let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
        try connection.execute("UPDATE ZLABEL SET ZTEXT = 'renamed' WHERE Z_PK = 2")
    }

    /// A row that replaces another one, one with a link to a missing object, and a new one.
    private static let rows = """
        {"$entity":"Shelf","$id":"Shelf/p1","name":"Maps","rank":7}
        {"$entity":"Book","$id":"b","title":"Imported","pages":5,"isLent":false,"shelf":"Shelf/p1","reader":"Reader/p9"}
        {"$entity":"Label","$id":"l","text":"fresh"}

        """

    @Test("Output equals the reviewed record", arguments: commands.map(\.name))
    func output(name: String) throws {
        let arguments = try #require(Self.commands.first { $0.name == name }?.arguments)
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        try Data(Self.rows.utf8).write(to: tool.url("in.ndjson"))
        if Self.changed.contains(name) { try change(tool) }
        let result = try tool.run(arguments.map { try $0 == "TOKEN" ? token(tool) : $0 })
        let isRefused = name.hasSuffix("-refused.txt")
        #expect(isRefused == (result.status == 2), "\(result.errors)")
        var text = result.output
        if !result.errors.isEmpty { text += "--- standard error\n" + result.errors }
        for file in try tables(tool) {
            text += "--- \(file)\n" + (try String(contentsOf: tool.url("out/\(file)"), encoding: .utf8))
        }
        try compare(masked(text, tool), name)
    }

    private func token(_ tool: Tool) throws -> String {
        try #require(try tool.run("restore", "a.store", "--format", "json").list().first?["token"] as? String)
    }

    private func tables(_ tool: Tool) throws -> [String] {
        guard FileManager.default.fileExists(atPath: tool.path("out")) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: tool.path("out")).sorted()
    }

    /// Values that differ from run to run: identifiers, times, and the folder.
    private func masked(_ text: String, _ tool: Tool) -> String {
        text.replacing(tool.folder.resolvingSymlinksInPath().path, with: "FOLDER").replacing(
            tool.folder.path, with: "FOLDER"
        )
        .replacing(/[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}/, with: "STORE")
        // Dates in the rows are in the year 2001.
        .replacing(/20[2-9][0-9]-[0-9]{2}-[0-9]{2}[ T][0-9]{2}[:-][0-9]{2}[:-][0-9]{2}(\.[0-9]+)?Z?/, with: "TIME")
        .replacing(/SQLite [0-9]+\.[0-9]+\.[0-9]+/, with: "SQLite VERSION")
        .replacing(/"sqliteVersion": "[0-9.]+"/, with: "\"sqliteVersion\": \"VERSION\"")
        .replacing(ProcessInfo.processInfo.processName, with: "TESTS")
    }

    /// About a file of Apple's framework, of a project whose licence permits it.
    static let commandsOnRealFile: [(name: String, arguments: [String])] = [
        ("real-count.txt", ["count", "real.store"]), ("real-schema.txt", ["schema", "real.store"]),
        ("real-plan.txt", ["plan", "real.store", "Author", "--where", "alias == 'Andrea'"]),
        ("real-show.txt", ["show", "real.store", "Book/p1", "--limit", "2"]),
        ("real-history.txt", ["history", "real.store"]),
        (
            "real-rows.csv",
            [
                "rows", "real.store", "Book", "--where", "price > 5", "--sort=-price,title", "--limit", "3",
                "--columns", "title,price,author,pagesCount", "--format", "csv",
            ]
        ),
    ]

    @Test(
        "Output about a file of Apple's equals the reviewed record", .realFiles,
        arguments: commandsOnRealFile.map(\.name))
    func outputOnRealFile(name: String) throws {
        let arguments = try #require(Self.commandsOnRealFile.first { $0.name == name }?.arguments)
        let tool = try Tool()
        _ = try RealFile.books.copy(into: tool)
        let result = try tool.run(arguments)
        #expect(result.errors.isEmpty && result.status == 0, "\(result.errors)")
        try compare(result.output, name)
    }

    private func compare(_ found: String, _ name: String) throws {
        let url = Self.folder.appendingPathComponent(name)
        if Self.isRecording { try Data(found.utf8).write(to: url) }
        let wanted = try String(contentsOf: url, encoding: .utf8)
        #expect(found == wanted)
    }
}
