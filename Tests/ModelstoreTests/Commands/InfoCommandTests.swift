import Foundation
import Testing

@testable import SQLiteStore

/// `info` and `schema` of files on which other commands fail.
@Suite("Info about unusual files", .enabled(if: Tool.exists))
struct InfoCommandTests {
    @Test(
        "Unreadable metadata are reported as damage, not as another kind of database",
        arguments: ["info", "schema", "count"])
    func metadata(command: String) throws {
        let tool = try Tool()
        let path = try tool.library()
        try tool.execute("UPDATE Z_METADATA SET Z_PLIST = x'0102030405'")
        let result = try tool.run(command, path)
        #expect(result.status == 2 && result.errors.contains("a.store is damaged ("), "\(result.errors)")
        #expect(!result.errors.contains("neither"), "\(result.errors)")
    }

    #if os(Linux)
    /// Puts pages above a table's only one, each of which refers to the one below it 600 times.
    private func multiplyRows(of table: String, _ url: URL) throws {
        let root = try Connection(.file(url), access: .immutable)
            .withStatement("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'") {
                try $0.step() ? Int($0.integer(at: 0)) : 0
            }
        var bytes = try Data(contentsOf: url)
        let size = 4096
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        func page(above child: Int) -> Data {
            let (cell, count) = (size - 5, 600)
            var page = Data([5, 0, 0] + number(count, 2) + number(cell, 2) + [0] + number(child, 4))
            for _ in 0..<count { page += number(cell, 2) }
            page += Data(count: cell - page.count) + Data(number(child, 4) + [1])
            return page
        }
        let place = (root - 1) * size..<root * size
        try #require(bytes[place.lowerBound] == 13)
        bytes += bytes[place]
        for _ in 0..<3 { bytes += page(above: bytes.count / size) }
        bytes.replaceSubrange(place, with: page(above: bytes.count / size))
        bytes.replaceSubrange(28..<32, with: number(bytes.count / size, 4))
        try bytes.write(to: url)
    }

    @Test(
        "Ctrl-C stops counting rows and collecting values",
        arguments: [("ZLABEL", ["info", "--format", "table"]), ("ZBOOK", ["schema", "--as", "swift"])])
    func interrupted(table: String, command: [String]) throws {
        let tool = try Tool()
        let path = try tool.library()
        try multiplyRows(of: table, tool.url("a.store"))
        let session = try TerminalSession(tool, command[0], path, command[1], command[2])
        try session.read(until: "1 s")
        session.type(TerminalSession.Key.interrupt)
        let end = session.finish()
        #expect(end.status == 130 && end.text.hasSuffix("Stopped.\n"), "\(end.text)")
    }
    #endif
}
