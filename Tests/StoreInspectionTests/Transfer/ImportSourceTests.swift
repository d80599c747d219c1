import Foundation
import TestSupport
import Testing

@testable import StoreInspection

@Suite("Rows to import")
struct ImportSourceTests {
    private func rows(_ text: String, name: String = "rows.json") throws -> [ImportedRow] {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        var rows: [ImportedRow] = []
        try ImportSource(url).forEachRow { rows.append($0) }
        return rows
    }

    @Test(
        "One document, a list, and lines of objects give the same rows",
        arguments: [
            #"{"format":"modelstore","version":1,"entities":{"Item":[{"$id":"Item/p1","name":"a"},{"name":"b\"]"}]}}"#,
            #"[{"$entity":"Item","$id":"Item/p1","name":"a"}, {"$entity":"Item","name":"b\"]"}]"#,
            "{\"$entity\":\"Item\",\"$id\":\"Item/p1\",\"name\":\"a\"}\r\n\n{\"$entity\":\"Item\",\"name\":\"b\\\"]\"}",
            "\u{FEFF} {\"entities\" : { \"Item\" : [ {\"$id\":\"Item/p1\" , \"name\":\"a\"} ,{\"name\":\"b\\\"]\"} ] } }",
        ])
    func forms(text: String) throws {
        let rows = try rows(text)
        #expect(rows.map(\.entity) == ["Item", "Item"])
        #expect(rows.map(\.id) == ["Item/p1", nil])
        #expect(rows.map(\.fields) == [[InspectedField("name", "a")], [InspectedField("name", "b\"]")]])
    }

    @Test("The size of a file behind a symbolic link is that of the file")
    func linkedFile() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let (url, link) = (folder.appendingPathComponent("rows.json"), folder.appendingPathComponent("link.json"))
        let text = Data("[\(String(repeating: " ", count: 5_000))]".utf8)
        try text.write(to: url)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        #expect(try ImportSource(link).size == Int64(text.count))
    }

    @Test("A row may have a property called entities")
    func entities() throws {
        let rows = try rows(#"{"$entity":"Item","entities":{"a":1}}"#)
        #expect(rows.first?.fields == [InspectedField("entities", .fields([InspectedField("a", 1)]))])
    }

    @Test(
        "A parse error contains its position",
        arguments: [
            ("", "empty"), ("{", "in quotes"), ("[{\"$entity\":\"A\"},", "a value is missing"),
            ("[{\"$entity\":\"A\"}] x", "something follows"), ("{\"$entity\":\"A\"}\n{\"$entity\":", "in line 2"),
            ("{\"a\":1}", "'entities'"), ("{\"entities\":{\"A\":5}}", "'A' is no list"),
            ("{\"version\":9,\"entities\":{}}", "another version"), ("[5]", "no object at object 1"),
            ("[{\"$entity\":\"A\",\"b\":tru}]", "unknown word"), ("?", "object is missing"),
        ])
    func refused(text: String, words: String) throws {
        do {
            _ = try rows(text)
            Issue.record("\(text) was read.")
        } catch {
            #expect("\(error)".contains(words), "\(text): \(error)")
        }
    }

    @Test("Pieces in which a file is read may end anywhere")
    func pieces() throws {
        // Each line is longer than several pieces, and their ends fall on all of the nine bytes that are repeated.
        let long = String(repeating: "é\\\"{[,\\\\", count: 40_000)
        let lines = (0..<12).map { "{\"$entity\":\"Item\",\"name\":\"\($0)\(long)\",\"list\":[[1,2],{\"x\":\"]}\"}]}" }
        let rows = try rows(lines.joined(separator: "\n"))
        #expect(rows.count == 12)
        #expect(rows.last?.place == "line 12")
        #expect(rows.last?.fields.first?.value == .text("11" + String(repeating: "é\"{[,\\", count: 40_000)))
    }

    @Test("CSV can be read in pieces")
    func csv() throws {
        let long = String(repeating: "a \"\"quoted\"\"\n", count: 20_000)
        let rows = try rows("$id,name\r\nItem/p1,\"\(long)\"\r\nItem/p2,\r\n", name: "Item.csv")
        #expect(rows.map(\.id) == ["Item/p1", "Item/p2"])
        #expect(rows.first?.fields.first?.value.textValue?.utf8.count == 20_000 * 11)
        #expect(rows.last?.fields.first?.value == InspectedValue.none)
        #expect(throws: InspectionError.self) { try self.rows("a,b\n1\n", name: "Item.csv") }
    }
}
