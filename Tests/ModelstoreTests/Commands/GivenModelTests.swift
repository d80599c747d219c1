import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Files without a model of their own: with the app's model, and as tables.
@Suite("Models given on the command line", .enabled(if: Tool.exists))
struct GivenModelTests {
    /// A store without its model, and that model as Xcode's file.
    private func bare(_ tool: Tool) throws -> (store: String, model: String) {
        let path = try tool.library()
        let model = tool.path("Library.xcdatamodeld")
        let written = try tool.run("schema", path, "--as", "xml", "-o", model)
        try #require(written.status == 0, "\(written.errors)")
        let connection = try Connection(.file(URL(fileURLWithPath: path)), access: .readWrite)
        try connection.execute("DELETE FROM Z_MODELCACHE")
        return (path, model)
    }

    @Test("With the app's model a file is read and written as with its own")
    func given() throws {
        let tool = try Tool()
        let other = tool.path("own.store")
        let (path, model) = try bare(tool)
        try FileManager.default.copyItem(atPath: path, toPath: other)
        let whole = try Tool()
        let listing = ["Book", "--sort", "title", "--format", "csv"]
        let own = try whole.run(["rows", try whole.library()] + listing)
        let rows = try tool.run(["rows", path] + listing + ["--model", model])
        #expect(rows.status == 0 && rows.errors.isEmpty && rows.lines.count == 14, "\(rows.errors)")
        #expect(rows.output == own.output)
        let info = try tool.run("info", path, "--model", model)
        #expect(info.output.contains("given with --model") && info.output.contains("the model is the one"))
        let deleted = try tool.run("delete", path, "Label", "--model", model, "--write", "--yes", "--no-backup")
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(deleted.output.contains("--write --model \(model)\n"), "\(deleted.output)")
        #expect(try tool.run("count", path, "Label", "--model", model).output == "0\n")
        let diff = try tool.run("diff", path, other, "--model", model, "--entity", "Label")
        #expect(diff.status == 1 && diff.output.contains("Label  +3"), "\(diff.output)\(diff.errors)")
    }

    @Test("Of several versions the file's version is used; if there is none, they are named")
    func versions() throws {
        let tool = try Tool()
        let (path, model) = try bare(tool)
        let contents = try String(
            contentsOfFile: model + "/" + (try #require(try version(model))) + "/contents", encoding: .utf8)
        let other = contents.replacing("name=\"pages\"", with: "name=\"sheets\"")
        try FileManager.default.createDirectory(
            atPath: model + "/Zeta.xcdatamodel", withIntermediateDirectories: true)
        try Data(other.utf8).write(to: URL(fileURLWithPath: model + "/Zeta.xcdatamodel/contents"))
        #expect(try tool.run("count", path, "Book", "--model", model).output == "12\n")
        let wrong = try tool.run("count", path, "Book", "--model", model + "/Zeta.xcdatamodel")
        #expect(wrong.status == 2 && wrong.errors.contains("its version is Zeta"), "\(wrong.errors)")
        let none = try tool.run("count", path, "Book", "--model", path)
        #expect(none.status == 2 && none.errors.contains("is no model"), "\(none.errors)")
    }

    private func version(_ package: String) throws -> String? {
        try FileManager.default.contentsOfDirectory(atPath: package).first { $0.hasSuffix(".xcdatamodel") }
    }

    @Test("A model file is shown like the model of a store")
    func modelFile() throws {
        let tool = try Tool()
        let path = try tool.library()
        let list = try tool.run("schema", path, "Shelf").output
        _ = try tool.run("schema", path, "--as", "xml", "-o", tool.path("Library.xcdatamodeld"))
        let shown = try tool.run("schema", tool.path("Library.xcdatamodeld"), "Shelf")
        #expect(shown.status == 0 && shown.output == list, "\(shown.output)\(shown.errors)")
        let classes = try tool.run("schema", tool.path("Library.xcdatamodeld"), "--as", "swift")
        #expect(classes.output.contains("final class Shelf"), "\(classes.errors)")
    }

    @Test("Compiled models are shown, and match the stores made with them", .realFiles)
    func compiled() throws {
        let tool = try Tool()
        let model = RealFile.folder.appendingPathComponent("coredataplus/SampleModel.momd").path
        let shown = try tool.run("schema", model)
        #expect(shown.status == 0 && shown.output.contains("SportCar"), "\(shown.errors)")
        #expect(shown.errors.contains("there are also"), "\(shown.errors)")
        for text in ["SampleModel.momd", "SampleModel.xcdatamodeld"] {
            let versions = RealFile.folder.appendingPathComponent("coredataplus/\(text)").path
            for file in ["coredataplus/SampleModel_V1.sqlite", "coredataplus/SampleModel_V2.sqlite"] {
                let path = try RealFile(file).copy(into: tool)
                let own = try tool.run("count", path)
                let given = try tool.run("count", path, "--model", versions)
                #expect(given.status == 0 && given.output == own.output, "\(text), \(file): \(given.errors)")
            }
        }
    }

    @Test("Without a model, the tables are shown and cannot be written")
    func tables() throws {
        let tool = try Tool()
        let (path, _) = try bare(tool)
        let info = try tool.run("info", path)
        #expect(info.status == 0 && info.output.contains("Shelf"), "\(info.output)")
        let counts = try tool.run("count", path, "--format", "json").list()
        #expect(counts.count == 5)
        #expect(counts.first { $0["entity"] as? String == "Atlas" }?["rows"] as? Int == 3)
        let rows = try tool.run("rows", path, "Shelf", "--format", "json")
        #expect(rows.status == 0 && rows.errors.contains("--model"), "\(rows.errors)")
        #expect(try rows.list().allSatisfy { $0["name"] is String && $0["rank"] != nil })
        #expect(try tool.run("count", path, "Book", "--where", "pages > 100").status == 0)
        let before = try tool.state()
        for arguments in [["delete", path, "Shelf", "--write", "--yes"], ["schema", path]] {
            let refused = try tool.run(arguments)
            #expect(refused.status != 0 && refused.errors.contains("--model"), "\(arguments): \(refused.errors)")
        }
        #expect(try tool.state() == before)
    }

    @Test("A file without entity numbers is read-only")
    func noNumbers() throws {
        let tool = try Tool()
        let path = try tool.library()
        do {
            let connection = try Connection(.file(URL(fileURLWithPath: path)), access: .readWrite)
            try connection.execute("DELETE FROM Z_PRIMARYKEY")
        }
        #expect(try tool.run("count", path, "Book").output == "12\n")
        let before = try tool.state()
        let refused = try tool.run("delete", path, "Label", "--write", "--yes")
        #expect(refused.status == 2 && refused.errors.contains("may be read only"), "\(refused.errors)")
        #expect(try tool.state() == before)
        #expect(try tool.run("count", path, "Book").output == "12\n")
    }
}
