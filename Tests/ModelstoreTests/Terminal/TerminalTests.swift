#if os(Linux)
import Dispatch
import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Output and input of a person at a terminal.
@Suite("On a terminal", .enabled(if: Tool.exists))
struct TerminalTests {
    /// Never ends by itself.
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    // MARK: Format

    @Test("Output on a terminal is coloured, unless that is turned off")
    func colours() throws {
        let tool = try Tool()
        let path = try tool.library()
        func output(_ environment: [String: String?]) throws -> String {
            let session = try TerminalSession(tool, "schema", path, environment: environment)
            let end = session.finish()
            #expect(end.status == 0 && end.text.contains("Shelf"), "\(end.text)")
            return session.text
        }
        #expect(try output([:]).contains("\u{1B}[1mShelf\u{1B}[0m"))
        #expect(try output(["NO_COLOR": ""]).contains("\u{1B}["))
        #expect(try !output(["NO_COLOR": "1"]).contains("\u{1B}"))
        #expect(try !output(["TERM": "dumb"]).contains("\u{1B}"))
        #expect(try !tool.run("schema", path).output.contains("\u{1B}"))
        // Redirected results are not coloured even if errors go to a terminal.
        let pipe = Pipe()
        let session = try TerminalSession(tool, "schema", path, output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let piped = pipe.fileHandleForReading.readDataToEndOfFile()
        #expect(session.finish().status == 0)
        #expect(!piped.isEmpty && !piped.contains(0x1B))
    }

    @Test("Tables are no wider than the terminal, and name the columns without space", arguments: [40, 80, 132])
    func widths(columns: UInt16) throws {
        let tool = try Tool()
        let path = try tool.library()
        let session = try TerminalSession(tool, "rows", path, "Book", columns: columns)
        let end = session.finish()
        let lines = end.text.split(separator: "\n").map(String.init)
        #expect(end.status == 0 && lines.count >= 14, "\(end.text)")
        #expect(lines.allSatisfy { $0.count <= Int(columns) }, "\(end.text)")
        // As many columns as fit: the widths of those shown and of the next one exceed the terminal.
        let shown = lines[0].split(separator: " ").map(String.init)
        let note = end.text.components(separatedBy: " more column").dropFirst().first ?? ""
        let hidden = note.drop { $0 != ":" }.dropFirst().replacing("\n", with: " ").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let all = try tool.run("rows", path, "Book").lines[0].split(separator: " ").map(String.init)
        #expect(shown + hidden == all, "\(end.text)")
        #expect(hidden.isEmpty == (columns == 132) && shown.count >= (columns == 40 ? 2 : 5), "\(end.text)")
    }

    // MARK: Progress

    @Test("A long operation shows progress, on a terminal only, and is stopped by Ctrl-C")
    func progress() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try tool.state()
        let quiet = try tool.start(["sql", path, Self.endless])
        let session = try TerminalSession(tool, "sql", path, Self.endless)
        try session.read(until: "Reading a.store")
        try session.read(until: "1 s")
        session.type(TerminalSession.Key.interrupt)
        let end = session.finish()
        #expect(end.status == 130, "\(end.text)")
        // The line is removed before anything else is written.
        #expect(session.text.hasSuffix("\r\u{1B}[KStopped.\n"), "\(session.text.suffix(80))")
        quiet.process.interrupt()
        let piped = try quiet.wait()
        #expect(piped.status == 130 && piped.errors == "Stopped.\n" && piped.output.isEmpty, "\(piped.errors)")
        #expect(try tool.state() == before)
    }

    @Test("A bar shows the progress of an export that is redirected")
    func bar() throws {
        let tool = try Tool()
        let path = try tool.library()
        try tool.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 4099)
            INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZTEXT)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Label'), 1, 'Label ' || i FROM n
            """)
        let pipe = Pipe()
        let session = try TerminalSession(
            tool, "export", path, "--entity", "Label", "--format", "ndjson", output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        // The export is not read yet, and so it is blocked.
        try session.read(until: "Exporting  ")
        try session.read(until: " %")
        // Its progress until then depends on the pipe's capacity; the bar is as long as the number says.
        let line = try #require(session.text.firstMatch(of: /Exporting  (█*)(░+)  (\d+) %/))
        let (filled, share) = (line.1.count, try #require(Int(line.3)))
        let width = filled + line.2.count
        #expect(share > 0 && width == 24 && (share * width / 100...(share + 1) * width / 100).contains(filled))
        let reader = pipe.fileHandleForReading
        // On a thread of its own, as the terminal must be read meanwhile.
        let (exported, isRead) = (Locked(Data()), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            exported.withLock { $0 = reader.readDataToEndOfFile() }
            isRead.signal()
        }
        #expect(session.finish().status == 0)
        isRead.wait()
        #expect(exported.withLock { $0.count { $0 == UInt8(ascii: "\n") } } == 4_003)
        #expect(session.text.hasSuffix("\r\u{1B}[K"), "\(session.text.suffix(80))")
    }

    // MARK: The question

    @Test(
        "Nothing is deleted unless the question is answered with yes",
        arguments: ["n\n", "\n", "yesterday\n", TerminalSession.Key.endOfInput])
    func refused(answer: String) throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try tool.state()
        let session = try TerminalSession(tool, "delete", path, "Label", "--write")
        try session.read(until: "Delete 3 rows? [y/N] ")
        session.type(answer)
        let end = session.finish()
        #expect(end.status == 0 && end.text.hasSuffix("\nNothing was deleted.\n"), "\(end.text)")
        #expect(try tool.state() == before)
    }

    @Test("The change is executed if the answer is yes", arguments: ["y\n", "YES\n"])
    func confirmed(answer: String) throws {
        let tool = try Tool()
        let path = try tool.library()
        let session = try TerminalSession(tool, "delete", path, "Label", "--write")
        try session.read(until: "To delete")
        try session.read(until: "Delete 3 rows? [y/N] ")
        session.type(answer)
        let end = session.finish()
        #expect(end.status == 0 && end.text.contains("3 rows deleted."), "\(end.text)")
        #expect(try tool.run("count", path, "Label").output == "0\n")
    }

    @Test("Ctrl-C at the question leaves the file unchanged, and no backup")
    func interruptedQuestion() throws {
        let tool = try Tool()
        let path = try tool.library()
        let before = try tool.state()
        for command in [["delete", path, "Label"], ["erase", path, "--traces"]] {
            let session = try TerminalSession(tool, command[0], command[1], command[2], "--write")
            try session.read(until: "? [y/N] ")
            session.type(TerminalSession.Key.interrupt)
            #expect(session.finish().status == 130, "\(command)")
            #expect(try tool.state() == before, "\(command)")
        }
    }

    @Test("Ctrl-C while rows are deleted rolls back the delete")
    func interruptedDelete() throws {
        let tool = try Tool()
        let path = try tool.library()
        // Enumerates 12 to the power of 12 combinations.
        let tables = (0..<12).map { "ZBOOK b\($0)" }.joined(separator: ", ")
        try tool.execute(
            "CREATE TRIGGER slow BEFORE DELETE ON ZLABEL BEGIN SELECT count(*) FROM \(tables); END")
        try tool.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try Data(contentsOf: tool.url("a.store"))
        let session = try TerminalSession(
            tool, "delete", path, "Label", "--write", "--yes", "--no-backup", "--run-triggers")
        try session.read(until: "Deleting")
        session.type(TerminalSession.Key.interrupt)
        let end = session.finish()
        #expect(end.status == 130 && end.text.hasSuffix("Stopped.\n"), "\(end.text)")
        #expect(try Data(contentsOf: tool.url("a.store")) == before)
        #expect(try tool.run("count", path, "Label").output == "3\n")
        try tool.execute("DROP TRIGGER slow")
        #expect(try tool.run("check", path).status == 0)
    }
}
#endif
