import AppleFormats
import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Files that are no stores, or not at present: a clear message, an exit code, and nothing changed.
@Suite("Unusual files", .enabled(if: Tool.exists))
struct UnusualFileTests {
    private func refused(
        _ tool: Tool, _ arguments: [String], _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try tool.state()
        let result = try tool.run(arguments)
        #expect(result.status == 2 && !result.wasKilled, "\(result.errors)", sourceLocation: sourceLocation)
        #expect(result.errors.contains(text), "\(result.errors)", sourceLocation: sourceLocation)
        #expect(!result.errors.contains("SQLite error"), "\(result.errors)", sourceLocation: sourceLocation)
        #expect(try tool.state() == before, sourceLocation: sourceLocation)
    }

    @Test(
        "A missing file, a folder, an empty file, a short text and random bytes are refused",
        arguments: ["info", "schema", "check", "lint", "history"])
    func noStore(command: String) throws {
        let tool = try Tool()
        try refused(tool, [command, tool.path("missing.store")], "There is no file")
        try refused(tool, [command, tool.folder.path], "There is a folder")
        try Data().write(to: tool.url("empty.store"))
        try refused(tool, [command, tool.path("empty.store")], "is empty")
        let letter = String(repeating: "This is a letter to my aunt, and not a database at all. ", count: 200)
        try Data(letter.utf8).write(to: tool.url("letter.store"))
        try refused(tool, [command, tool.path("letter.store")], "not a SQLite database")
        var random = SeededGenerator(seed: 1)
        let noise = (0..<16_384).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        try Data(noise).write(to: tool.url("secret.store"))
        try refused(tool, [command, tool.path("secret.store")], "look encrypted")
    }

    @Test("Another kind of database is reported as such; SQL can read it")
    func otherDatabase() throws {
        let tool = try Tool()
        do {
            let connection = try Connection(.file(tool.url("other.db")), access: .create)
            try connection.execute("CREATE TABLE notes (text)")
            try connection.execute("INSERT INTO notes VALUES ('hello')")
        }
        for command in ["info", "schema", "check"] {
            try refused(tool, [command, tool.path("other.db")], "neither a SwiftData nor a Core Data store")
        }
        let found = try tool.run("sql", tool.path("other.db"), "SELECT text FROM notes", "--format", "csv")
        #expect(found.output == "text\nhello\n")
    }

    @Test("A store without its model shows its available facts, and other commands say why they fail")
    func noModel() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        do {
            let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
            try connection.execute("DELETE FROM Z_MODELCACHE")
        }
        let info = try tool.run("info", tool.path("a.store"))
        #expect(info.status == 0 && info.output.contains("carries no model"), "\(info.errors)")
        #expect(!info.output.contains("Problem"))
        do {
            let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
            try connection.execute("INSERT INTO Z_MODELCACHE VALUES (x'0102030405')")
        }
        let unreadable = try tool.run("info", tool.path("a.store"))
        #expect(unreadable.status == 1 && !unreadable.output.isEmpty, "\(unreadable.errors)")
        let rows = try tool.run("rows", tool.path("a.store"), "Book")
        #expect(rows.status == 0 && rows.errors.contains("its tables are shown as they are"), "\(rows.errors)")
        try refused(tool, ["schema", tool.path("a.store")], "own model cannot be used")
    }

    @Test("A model other than the file's can be used for reading, not for writing")
    func outdatedModel() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        do {
            let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
            var metadata = try StoreMetadata(connection)
            guard case .dictionary(var hashes)? = metadata.propertyList[StoreMetadata.Key.versionHashes] else {
                Issue.record("The file has no version hashes.")
                return
            }
            hashes["Book"] = .data(Data(repeating: 7, count: 32))
            metadata.propertyList[StoreMetadata.Key.versionHashes] = .dictionary(hashes)
            try metadata.write(connection)
        }
        let info = try tool.run("info", tool.path("a.store"))
        #expect(info.status == 0 && info.output.contains("differ from the model in the file: Book"))
        #expect(try tool.run("count", tool.path("a.store"), "Book").output == "12\n")
        try refused(tool, ["delete", tool.path("a.store"), "Label", "--write", "--yes"], "will not be changed")
    }

    @Test("Tables whose keys are not ascending are reported as damage, and do not block a command")
    func disorder() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        let path = tool.path("a.store")
        _ = try tool.run("delete", path, "Label", "--where", "text == 'old'", "--write", "--yes", "--no-backup")
        let whole = try Data(contentsOf: tool.url("a.store"))
        for (table, arguments) in [
            ("ZBOOK", ["diff", path, path]), ("ATRANSACTION", ["history", path]),
            ("ATRANSACTION", ["history", path, "--export"]),
        ] {
            try whole.write(to: tool.url("a.store"))
            try turnRound(table, tool.url("a.store"))
            try refused(tool, arguments, "damaged")
            let checked = try tool.run("check", path)
            #expect(checked.status == 1, "\(table): \(checked.output)\(checked.errors)")
            #expect(checked.output.contains("damaged"), "\(table)")
        }
    }

    @Test("If two files are compared, the damaged one is named", arguments: [true, false])
    func whichIsDamaged(old: Bool) throws {
        let tool = try Tool()
        for name in ["whole.store", "bad.store"] { try Library.makeFile(at: tool.url(name)) }
        let url = tool.url("bad.store")
        let (root, size) = try Connection(.file(url), access: .immutable).withStatement(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_master WHERE name = 'ZBOOK'"
        ) { try $0.step() ? (Int($0.integer(at: 0)), Int($0.integer(at: 1))) : (0, 0) }
        try #require(root > 1)
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange((root - 1) * size..<(root - 1) * size + 64, with: Data(repeating: 0xFF, count: 64))
        try bytes.write(to: url)
        let (bad, whole) = (tool.path("bad.store"), tool.path("whole.store"))
        let result = try tool.run(["diff"] + (old ? [bad, whole] : [whole, bad]))
        #expect(result.status == 2 && result.errors.contains("bad.store is damaged"), "\(result.errors)")
        #expect(!result.errors.contains("whole.store"), "\(result.errors)")
    }

    /// Swaps the first row of a table of one page with the last one.
    private func turnRound(_ table: String, _ url: URL) throws {
        let root = try Connection(.file(url), access: .immutable)
            .withStatement("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'") {
                try $0.step() ? Int($0.integer(at: 0)) : 0
            }
        var bytes = try Data(contentsOf: url)
        let page = (root - 1) * 4096
        let count = Int(bytes[page + 3]) << 8 | Int(bytes[page + 4])
        #expect(bytes[page] == 13 && count > 1)
        let (first, last) = (page + 8, page + 8 + 2 * (count - 1))
        for place in 0..<2 { bytes.swapAt(first + place, last + place) }
        try bytes.write(to: url)
    }

    @Test("Unknown names are answered with the existing ones")
    func unknownNames() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        try refused(tool, ["rows", tool.path("a.store"), "Boook"], "Did you mean 'Book'?")
        try refused(tool, ["rows", tool.path("a.store"), "Book", "--sort", "titel"], "Did you mean 'title'?")
        try refused(tool, ["rows", tool.path("a.store"), "Book", "--where", "titel == 1"], "Did you mean 'title'?")
        try refused(
            tool, ["count", tool.path("a.store"), "Book", "--where", "shelf.nam == 1"], "'Shelf' has no property 'nam'")
        try refused(tool, ["rows", tool.path("a.store"), "Book", "--where", "title =="], "Character 9")
        try refused(tool, ["show", tool.path("a.store"), "Book/p999"], "There is no object Book/p999")
        try refused(tool, ["show", tool.path("a.store"), "Book"], "names no object")
        try refused(tool, ["restore", tool.path("a.store"), "ABC"], "No delete can be restored")
    }

    @Test("A file that another process has open is read from a copy, and written only if requested")
    func inUse() throws {
        let tool = try Tool()
        // Locks of this process are another process's for the command.
        let store = try Library.make(at: tool.url("a.store"))
        let log = try Data(contentsOf: tool.url("a.store-wal"))
        #expect(!log.isEmpty)
        let found = try tool.run("count", tool.path("a.store"), "Book")
        #expect(found.output == "12\n", "\(found.errors)")
        #expect(found.errors.contains("Another process has the file open"))
        #expect(try Data(contentsOf: tool.url("a.store-wal")) == log)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.temporaryFolder.path).isEmpty)
        let refused = try tool.run("delete", tool.path("a.store"), "Label", "--write", "--yes")
        #expect(refused.status == 2 && refused.errors.contains("--in-use"), "\(refused.errors)")
        let written = try tool.run("delete", tool.path("a.store"), "Label", "--write", "--yes", "--in-use")
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.contains("--write --in-use"), "the suggested restore\n\(written.output)")
        #expect(try tool.run("count", tool.path("a.store"), "Label").output == "0\n")
        #expect(try store.changesByOthers().deleted.count == 3)
    }

    @Test("A file with a write in progress is not read half way")
    func beingWritten() throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        let connection = try Connection(.file(tool.url("a.store")), access: .readWrite)
        try connection.execute("PRAGMA journal_mode = DELETE")
        try connection.execute("BEGIN EXCLUSIVE")
        try connection.execute("UPDATE ZBOOK SET ZTITLE = 'half'")
        let result = try tool.run("rows", tool.path("a.store"), "Book")
        #expect(result.status == 2 && result.errors.contains("being written by another process"), "\(result.errors)")
        try connection.execute("ROLLBACK")
    }

    @Test("A read during another process's saves sees complete transactions only")
    func concurrent() throws {
        let tool = try Tool()
        let writer = try Library.make(at: tool.url("a.store"))
        let label = try #require(writer.model.entity(named: "Label"))
        let isDone = Locked(false)
        let thread = Thread {
            var round = 0
            while !isDone.withLock({ $0 }) {
                round += 1
                var changes = ChangeSet()
                // Two at a time, besides the three existing ones: an even number would be half a transaction.
                for name in ["x\(round)", "y\(round)"] {
                    changes.insertions.append(
                        ChangeSet.Insertion(
                            id: .temporary(entityName: "Label"), entityIndex: label.index, values: [.text(name)]))
                }
                _ = try? writer.save(changes)
                if round % 7 == 0 { _ = try? writer.checkpoint() }
            }
        }
        thread.start()
        defer { isDone.withLock { $0 = true } }
        var seen = 3
        for _ in 0..<12 {
            let result = try tool.run("count", tool.path("a.store"), "Label")
            let count = try #require(Int(result.output.trimmingCharacters(in: .newlines)), "\(result.errors)")
            #expect(count % 2 == 1 && count >= seen, "\(count) after \(seen)")
            seen = count
        }
        #expect(seen > 3)
        #expect(try tool.run("check", tool.path("a.store")).output == "Nothing is wrong.\n")
    }

    @Test("A log with contents is read, with or without an index")
    func leftLog() throws {
        let tool = try Tool()
        let store = try Library.make(at: tool.url("a.store"))
        for name in ["a.store", "a.store-wal"] {
            try Data(contentsOf: tool.url(name)).write(to: tool.url(name.replacing("a.store", with: "b.store")))
        }
        #expect(try tool.run("count", tool.path("b.store"), "Book").output == "12\n")
        try FileManager.default.createSymbolicLink(at: tool.url("link.store"), withDestinationURL: tool.url("b.store"))
        #expect(try tool.run("count", tool.path("link.store"), "Book").output == "12\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).filter { !$0.hasPrefix("a") }
        #expect(names.filter { $0.contains("store") }.sorted() == ["b.store", "b.store-wal", "link.store"])
        withExtendedLifetime(store) {}
    }

    @Test(
        "Closed or full outputs end the command in order",
        arguments: ["2>&-", ">&-", "> /dev/full", "| head -n 1", "< /dev/null 2>&- >&-"])
    func closedOutputs(redirection: String) throws {
        let tool = try Tool()
        try Library.makeFile(at: tool.url("a.store"))
        for command in [
            "export a.store", "rows a.store Book", "info missing", "plan a.store Shelf", "delete a.store Label --write",
        ] {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", "'\(Tool.program.path)' \(command) \(redirection)"]
            shell.currentDirectoryURL = tool.folder
            shell.standardOutput = FileHandle.nullDevice
            shell.standardError = FileHandle.nullDevice
            try shell.run()
            shell.waitUntilExit()
            #expect(
                [0, 2, 64, 141].contains(shell.terminationStatus),
                "\(command) \(redirection): \(shell.terminationStatus)")
        }
        #expect(try tool.run("count", tool.path("a.store"), "Label").output == "3\n")
    }

    @Test("Invalid arguments end with code 64 and a message")
    func usage() throws {
        let tool = try Tool()
        for arguments in [
            ["rows"], ["nonsense"], ["erase", "x"], ["count", "x", "--where", "a == 1"],
            ["rows", "x", "Y", "--format", "pdf"], ["info", ""], ["history", "x", "--after=-1"],
            ["history", "x", "--export", "--format", "csv"], ["schema", "x", "--as", "swift", "--format", "json"],
            ["delete", "x", "Y", "--rows-at-once", "0"], ["erase", "x", "Y", "--backup", "--no-backup"],
        ] {
            let result = try tool.run(arguments)
            #expect(result.status == 64, "\(arguments): \(result.status) \(result.errors)")
        }
        let help = try tool.run("--help")
        #expect(
            help.status == 0 && help.output.contains("EXAMPLES") && help.output.contains("--generate-completion-script")
        )
    }
}
