import Foundation
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Triggers of other programs", .enabled(if: Tool.exists))
struct ForeignTriggerCommandTests {
    private func library(_ tool: Tool) throws -> String {
        let path = try tool.library()
        let connection = try Connection(.file(URL(fileURLWithPath: path)), access: .readWrite)
        try connection.execute(
            "CREATE TRIGGER sweep AFTER DELETE ON ZLABEL BEGIN DELETE FROM ZREADER WHERE Z_PK = 1; END")
        return path
    }

    @Test("check, info and plan list them")
    func named() throws {
        let tool = try Tool()
        let path = try library(tool)
        let check = try tool.run("check", path)
        #expect(check.status == 1 && check.output.contains("sweep on ZLABEL"), "\(check.output)")
        #expect(try tool.run("info", path).output.contains("sweep on ZLABEL"))
        let plan = try tool.run("plan", path, "Label")
        #expect(plan.status == 0 && plan.output.contains("sweep on ZLABEL"), "\(plan.output)")
        let fields = try tool.run("plan", path, "Label", "--format", "json").fields()
        #expect(fields["foreignTriggers"] as? [String] == ["sweep on ZLABEL"])
    }

    @Test("Nothing is written unless they may run; then the actual changes are reported")
    func written() throws {
        let tool = try Tool()
        let path = try library(tool)
        let before = try tool.state()
        let refused = try tool.run("delete", path, "Label", "--write", "--yes")
        #expect(refused.status == 2 && refused.errors.contains("--run-triggers"), "\(refused.errors)")
        #expect(try tool.state() == before)
        let done = try tool.run("delete", path, "Label", "--write", "--yes", "--no-backup", "--run-triggers")
        #expect(done.status == 0 && done.errors.contains("Label -3, Reader -1"), "\(done.errors)")
        #expect(done.output.contains("--write --run-triggers"), "the suggested restore\n\(done.output)")
    }

    @Test("Apple's own triggers do not count", .realFiles)
    func derived() throws {
        let tool = try Tool()
        let path = try RealFile.books.copy(into: tool)
        #expect(!(try tool.run("check", path).output.contains("trigger")))
    }
}
