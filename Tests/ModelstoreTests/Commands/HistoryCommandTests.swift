import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// The transactions that `history` shows, without a gap.
@Suite("History of a file", .enabled(if: Tool.exists))
struct HistoryCommandTests {
    /// Each in a transaction of its own.
    private func insertLabels(_ count: Int, _ store: SQLiteStore, rows: Int = 1) throws {
        let entity = try #require(store.model.entity(named: "Label"))
        for _ in 0..<count {
            var changes = ChangeSet()
            changes.insertions = (0..<rows).map { _ in
                ChangeSet.Insertion(
                    id: .temporary(entityName: "Label"), entityIndex: entity.index, values: [.text("new")])
            }
            _ = try store.save(changes)
        }
    }

    private func numbers(_ tool: Tool, _ arguments: String...) throws -> [Int] {
        let result = try tool.run(["history"] + arguments + ["--format", "ndjson"])
        #expect(result.status == 0, "\(result.errors)")
        return try result.lines.filter { !$0.isEmpty }.map { line in
            let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return fields?["number"] as? Int ?? -1
        }
    }

    @Test("Of the transactions after one, --limit shows the newest")
    func newestAfter() throws {
        let tool = try Tool()
        let path = tool.path("a.store")
        do { try insertLabels(29, try Library.make(at: tool.url("a.store"))) }
        #expect(try numbers(tool, path, "--after", "10", "--limit", "3") == [28, 29, 30])
        #expect(try numbers(tool, path, "--after", "28", "--limit", "3") == [29, 30])
        #expect(try numbers(tool, path, "--after", "30", "--limit", "3") == [])
        #expect(try numbers(tool, path, "--after", "10", "--limit", "0") == Array(11...30))
        #expect(try numbers(tool, path, "--after", "10") == Array(11...30))
        #expect(try numbers(tool, path, "--limit", "2") == [29, 30])
        // Only one transaction changed it, and that is not after the second.
        #expect(try numbers(tool, path, "--after", "2", "--limit", "2", "--object", "Label/p1") == [])
        #expect(try numbers(tool, path, "--limit", "2", "--object", "Label/p1") == [1])
    }

    @Test("A transaction of very many changes is shown completely in every format")
    func manyChanges() throws {
        let tool = try Tool()
        let path = tool.path("a.store")
        do { try insertLabels(1, try Library.make(at: tool.url("a.store")), rows: 2_500) }
        let last = ["history", path, "--limit", "1"]
        let wanted = Set((4...2_503).map { "Label/p\($0)" })
        for format in ["ndjson", "json"] {
            let output = try tool.run(last + ["--format", format])
            let parsed = try JSONSerialization.jsonObject(with: Data(output.output.utf8))
            let transaction = (parsed as? [[String: Any]])?.first ?? parsed as? [String: Any]
            let changes = try #require(transaction?["changes"] as? [[String: Any]])
            #expect(changes.count == 2_500)
            #expect(Set(changes.compactMap { $0["object"] as? String }) == wanted)
        }
        let rows = try tool.run(last + ["--format", "csv"]).lines.dropFirst().filter { !$0.isEmpty }
        #expect(rows.count == 2_500)
        #expect(Set(rows.compactMap { $0.split(separator: ",").last.map(String.init) }) == wanted)
        let text = try tool.run(last).output
        #expect(text.contains("+2,500 ~0 -0") && text.contains("+ 2,500 Label"), "\(text)")
        let one = try tool.run(["history", path, "--object", "Label/p2000"]).output
        #expect(one.contains("+1 ~0 -0") && one.contains("+ Label/p2000") && !one.contains("p2001"), "\(one)")
    }

    private func waits(for text: String, in running: Tool.Running) -> Bool {
        let deadline = Date().addingTimeInterval(60)
        while Date() < deadline {
            if running.outputSoFar.contains(text) { return true }
            RunLoop.current.run(until: Date().addingTimeInterval(0.05))
        }
        return false
    }

    @Test("Following a link to a file shows the transactions saved there")
    func link() throws {
        let tool = try Tool()
        let store = try Library.make(at: tool.url("a.store"))
        try FileManager.default.createDirectory(at: tool.url("links"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: tool.url("links/b.store"), withDestinationURL: tool.url("a.store"))
        let running = try tool.start(["history", tool.path("links/b.store"), "-f", "--format", "ndjson"])
        defer { running.process.terminate() }
        #expect(waits(for: "Shelf/p1", in: running))
        // Into the log only, as the store stays open.
        try insertLabels(1, store)
        #expect(waits(for: "Label/p4", in: running))
        running.process.interrupt()
        #expect(try running.wait().status == 130)
        withExtendedLifetime(store) {}
    }

    #if os(Linux)
    /// - Returns: `nil` at the end, or if nothing comes any more.
    private func more(from descriptor: Int32) -> Data? {
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&asked, 1, 60_000) > 0 else { return nil }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &piece, piece.count)
        return count > 0 ? Data(piece[..<count]) : nil
    }

    @Test("Transactions saved while the listing is written are shown after it")
    func savedMeanwhile() throws {
        let tool = try Tool()
        let store = try Library.make(at: tool.url("a.store"))
        try insertLabels(4, store, rows: 2_000)
        let pipe = Pipe()
        let session = try TerminalSession(
            tool, "history", tool.path("a.store"), "-f", "--format", "ndjson", output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        // It has read the file, and is blocked as the output exceeds the pipe's capacity.
        let reader = pipe.fileHandleForReading.fileDescriptor
        var received = try #require(more(from: reader))
        try insertLabels(1, store)
        let wanted = Data("Label/p8004\"".utf8)
        while received.range(of: wanted) == nil, let next = more(from: reader) {
            received = received.suffix(100) + next
        }
        #expect(received.range(of: wanted) != nil)
        session.type(TerminalSession.Key.interrupt)
        #expect(session.finish().status == 130)
    }
    #endif
}
