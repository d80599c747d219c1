import Foundation
import Testing

/// What commands print about a store of the tests' own, as kept in `Expected/`. With `MODELSTORE_RECORD=1` the files are
/// written anew, to be looked at before they are kept.
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
        ("help.txt", ["--help"]),
        ("help-delete.txt", ["delete", "--help"]),
    ]

    @Test("Output is as it was looked at and kept", arguments: commands.map(\.name))
    func output(name: String) throws {
        let arguments = try #require(Self.commands.first { $0.name == name }?.arguments)
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        let result = try tool.run(arguments)
        #expect(result.errors.isEmpty && result.status <= 1, "\(result.errors)")
        try compare(
            result.output.replacing(
                /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}/, with: "STORE"), name)
    }

    /// About a file of Apple's framework, of a project whose licence allows it.
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
        "Output about a file of Apple's is as it was looked at and kept", .enabled(if: RealFile.areAvailable),
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
