import Foundation
import Testing

@testable import SQLiteStore

/// The exit code of a repair says whether an error remains.
@Suite("Repairs", .enabled(if: Tool.exists))
struct RepairCommandTests {
    private func damaged(_ tool: Tool) throws -> String {
        let path = try tool.library()
        try tool.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Label'")
        return path
    }

    @Test("A preview repairs nothing, and ends with 1", arguments: ["table", "json"])
    func dryRun(format: String) throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let before = try tool.state()
        let looked = try tool.run("repair", path, "--format", format)
        #expect(looked.status == 1 && looked.errors.contains("Nothing was written."), "\(looked.errors)")
        #expect(try tool.state() == before)
        let repaired = try tool.run("repair", path, "--format", format, "--write", "--yes", "--no-backup")
        #expect(repaired.status == 0, "\(repaired.errors)")
        #expect(try tool.run("repair", path, "--format", format).status == 0)
    }

    #if os(Linux)
    @Test(
        "If the answer is no, the plan was shown and nothing was repaired", arguments: ["table", "json"])
    func refused(format: String) throws {
        let tool = try Tool()
        let path = try damaged(tool)
        let before = try tool.state()
        let pipe = Pipe()
        let session = try TerminalSession(
            tool, "repair", path, "--write", "--format", format,
            output: format == "table" ? nil : pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        try session.read(until: "Label")
        try session.read(until: "Repair? [y/N] ")
        session.type("n\n")
        let end = session.finish()
        #expect(end.status == 1 && end.text.contains("Nothing was repaired."), "\(end.text)")
        #expect(try tool.state() == before)
        if format == "json" {
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            let fields = try JSONSerialization.jsonObject(with: output) as? [String: Any]
            #expect(fields?["done"] as? Bool == false && (fields?["repairs"] as? [Any])?.count == 1)
        }
    }
    #endif
}
