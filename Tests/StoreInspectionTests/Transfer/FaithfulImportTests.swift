import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// An import stores values exactly as written, or refuses them: nothing is guessed, truncated or dropped.
@Suite("Imports store values as written, or refuse them")
struct FaithfulImportTests {
    private static func model() throws -> Model {
        // `Book` comes before `Shelf`: its unordered end contains links first.
        var book = EntityDescription("Book")
        var size = Attribute("size", .composite, optional: true)
        size.elements = [Attribute("width", .double, optional: true), Attribute("height", .double, optional: true)]
        book.attributes = [
            Attribute("title", .string), Attribute("price", .decimal, optional: true),
            Attribute("weight", .double, optional: true), size, Attribute("when", .date, optional: true),
        ]
        book.relationships = [Relationship("shelves", to: "Shelf", .toMany, inverse: "books")]
        var shelf = EntityDescription("Shelf")
        var books = Relationship("books", to: "Book", .toMany, inverse: "shelves")
        books.isOrdered = true
        shelf.relationships = [books]
        return try Model([book, shelf])
    }

    private func changes(_ text: String, _ model: Model) throws -> ChangeSet {
        try withSource(Data(text.utf8), "in.json") { try RowImport(model, $0).changes(author: nil) }
    }

    private func rows(_ text: String, _ name: String) throws -> [ImportedRow] { try rows(Data(text.utf8), name) }

    private func rows(_ data: Data, _ name: String = "in.json") throws -> [ImportedRow] {
        var rows: [ImportedRow] = []
        try withSource(data, name) { try $0.forEachRow { rows.append($0) } }
        return rows
    }

    private func withSource<Result>(
        _ data: Data, _ name: String, _ body: (ImportSource) throws -> Result
    ) throws -> Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        return try body(try ImportSource(url))
    }

    private func value(_ field: String, _ json: String) throws -> Value? {
        let model = try Self.model()
        let text = "{\"$entity\":\"Book\",\"title\":\"a\",\"\(field)\":\(json)}"
        let changes = try changes(text, model)
        let slot = model.entity(named: "Book")?.attribute(named: field)?.slots.lowerBound
        return slot.flatMap { changes.insertions.first?.values[$0] }
    }

    @Test("An ordered relationship has the order of its own end, whichever comes first", arguments: [true, false])
    func order(shelfFirst: Bool) throws {
        let books = ["a", "b", "c"].map { name in
            "{\"$entity\":\"Book\",\"$id\":\"\(name)\",\"title\":\"\(name)\",\"shelves\":[\"s\"]}"
        }
        let shelf = "{\"$entity\":\"Shelf\",\"$id\":\"s\",\"books\":[\"c\",\"a\",\"b\"]}"
        let lines = shelfFirst ? [shelf] + books : books + [shelf]
        let changes = try changes(lines.joined(separator: "\n"), Self.model())
        let names = Dictionary(
            changes.insertions.map { insertion -> (ObjectID, String) in
                let title = insertion.values.lazy.compactMap { if case .text(let text) = $0 { text } else { nil } }
                    .first
                return (insertion.id, title ?? "")
            }, uniquingKeysWith: { first, _ in first })
        let links = changes.links.filter { $0.ownerEntityIndex == 1 }
        #expect(changes.links.count == 1 && links.count == 1)
        #expect(links.first?.order?.map { names[$0] ?? "" } == ["c", "a", "b"])
        #expect(links.first?.added.map { names[$0] ?? "" } == ["c", "a", "b"])
    }

    @Test(
        "A decimal is read completely or refused",
        arguments: [
            ("\"12.50\"", "12.5"), ("\"-0.000000000000000000000000000001\"", "-0.000000000000000000000000000001"),
            ("\"+1e3\"", "1000"),
            ("1234567890123456789", "1234567890123456789"), ("0.1", "0.1"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("1e2", "100"),
        ])
    func decimals(json: String, expected: String) throws {
        #expect(try value("price", json) == Decimal(string: expected).map(Value.decimal), "\(json)")
    }

    @Test(
        "Malformed decimals are refused",
        arguments: [
            "12,50", "12 Euro", "0x10", "1.2.3", "", ".", "1e", "--1", "nan",
            "1234567890123456789012345678901234567891",
            "999999999999999999999999999999999999999", "1e400", "1e-400", "1e99999999999999999999",
        ])
    func noDecimals(text: String) throws {
        #expect(throws: InspectionError.self, "\(text)") { try value("price", "\"\(text)\"") }
    }

    @Test(
        "A decimal is imported as an export writes it, however large it is",
        arguments: [
            "1e38", "-1e50", "123456789e40", "1e127", "25e-128",
        ])
    func exportedDecimals(text: String) throws {
        let number = try #require(Decimal(string: text))
        for number in [number, -number, .leastNonzeroMagnitude] {
            let json = InspectedValue.number(NSDecimalNumber(decimal: number).description).json()
            #expect(try value("price", json) == .decimal(number), "\(json)")
        }
    }

    @Test(
        "A link to a missing object is refused, not dropped",
        arguments: ["5", "true", "[1,2]", "[\"s\",null]", "{\"name\":\"Ada\"}", "[{\"name\":\"Ada\"}]", "0.5"])
    func namelessLinks(json: String) throws {
        let shelf = "{\"$entity\":\"Shelf\",\"$id\":\"s\"}"
        func changes(_ links: String) throws -> ChangeSet {
            try self.changes(
                "{\"$entity\":\"Book\",\"title\":\"a\",\"shelves\":\(links)}\n\(shelf)", Self.model())
        }
        #expect {
            try changes(json)
        } throws: {
            "\($0)".contains("'Book.shelves' of") && "\($0)".contains("nor a list of names")
        }
        for links in ["\"s\"", "[\"s\"]", "{\"$id\":\"s\"}", "[{\"$id\":\"s\",\"name\":\"Ada\"}]"] {
            #expect(try changes(links).links.map(\.added.count) == [1], "\(links)")
        }
        for links in ["null", "[]", "\"\""] { #expect(try changes(links).links.isEmpty, "\(links)") }
    }

    @Test("A number of many digits is accepted as a real")
    func reals() throws {
        #expect(try value("weight", "0.12345678901234567890123") == .real(0.12345678901234567890123))
        #expect(try JSONReading.value(Data("0.30000000000000004".utf8)) == .real(0.1 + 0.2))
        #expect(try JSONReading.value(Data("0.123456789012345678901".utf8)).json() == "0.123456789012345678901")
    }

    @Test("Words and numbers out of range are no reals, except for the exported form of infinity")
    func noReals() throws {
        for text in ["nan", "NaN", "infinity", "INF", "+inf", "0x1p3", "", " 1", "1e400", "-1e999"] {
            #expect(throws: InspectionError.self, "\(text)") { try value("weight", "\"\(text)\"") }
        }
        #expect(throws: InspectionError.self) { try value("weight", "1e400") }
        for number in [Double.infinity, -Double.infinity, 1e300, Double.leastNonzeroMagnitude, -0.0] {
            #expect(try value("weight", InspectedValue.real(number).json()) == .real(number))
            #expect(try value("weight", InspectedValue.text("\(number)").json()) == .real(number))
        }
    }

    @Test("A date must exist; a number is accepted as a date only where an export writes it so")
    func whichDates() throws {
        for text in [
            "2023-02-29", "2024-02-30", "2024-02-31T00:00:00Z", "2024-04-31", "1900-02-29", "2024-01-01T00:00:00+24:00",
            "2024-01-01T00:00:00+01:60", "20240301", "730823399.5", "nan",
        ] {
            #expect(throws: InspectionError.self, "\(text)") { try value("when", "\"\(text)\"") }
        }
        for json in ["730823399", "730823399.5", "0", "2024"] {
            #expect(throws: InspectionError.self, "\(json)") { try value("when", json) }
        }
        #expect(try value("when", "\"2024-02-29\"") == .real(Double(8_459 * 86_400)))
        #expect(try value("when", "\"2000-02-29\"") != nil && value("when", "\"0000-12-31\"") != nil)
        // Numbers that no text represents exactly.
        let rendering = RowRendering(try Self.model(), .exact)
        let when = Attribute("when", .date)
        for seconds in [1e300, -1e12, 1e-20, .infinity, 0, 0.1, 730_823_399.5] {
            let written = rendering.value(.real(seconds), when)
            #expect(try value("when", written.json()) == .real(seconds), "\(seconds)")
            #expect(try value("when", InspectedValue.text(written.cellText).json()) == .real(seconds), "\(seconds)")
        }
    }

    @Test("A refusal contains row, column and the expected type, and not the value")
    func expectations() throws {
        let csv = "title,price,when\na,1,\nb,2,2024-02-31\n"
        #expect {
            try withSource(Data(csv.utf8), "Book.csv") { _ = try RowImport(Self.model(), $0) }
        } throws: {
            "\($0)"
                == "'Book.when' of row 2 of Book.csv is no Date: a date such as 2024-03-01T12:00:00Z, or 2024-03-01 "
                + "is expected."
        }
        #expect { try value("weight", "\"many\"") } throws: { "\($0)".contains("a number such as -12.5 is expected.") }
    }

    @Test("Bytes that are no UTF-8 are reported with their line, not replaced")
    func encoding() throws {
        let json = Data("[\n {\"$entity\":\"Book\",\n  \"title\":\"caf".utf8) + Data([0xE9]) + Data("\"}]".utf8)
        #expect { try rows(json) } throws: { "\($0)".contains("in line 3") && "\($0)".contains("UTF-8") }
        let lines =
            Data("{\"$entity\":\"Book\",\"title\":\"a\"}\n{\"$entity\":\"Book\",\"title\":\"".utf8) + Data([0xFF])
        #expect { try rows(lines + Data("\"}\n".utf8)) } throws: { "\($0)".contains("in line 2") }
        let csv = Data("title\r\na\r\ncaf".utf8) + Data([0xE9, 0x0D, 0x0A])
        #expect { try rows(csv, "Book.csv") } throws: { "\($0)".contains("Line 3 is not in UTF-8") }
    }

    @Test("A CSV file that ends within quotes is refused")
    func quotes() throws {
        #expect { try rows("title,price\n\"a\nb\",1\nc,\"2\n", "Book.csv") } throws: {
            "\($0)".contains("Line 4 has a quote that is not closed")
        }
        #expect(try rows("title\n\"a\"", "Book.csv").count == 1)
    }

    @Test("An unknown element of a composite is refused, not dropped")
    func composites() throws {
        #expect(throws: InspectionError.self) { try value("size", "{\"width\":1,\"depth\":2}") }
        #expect(throws: InspectionError.self) { try value("size", "7") }
        #expect(throws: InspectionError.self) { try value("size", "{\"width\":{\"inner\":1}}") }
        #expect(try value("size", "{\"width\":1.5}") == .real(1.5))
        #expect(try value("size", "null") == .null)
    }

    @Test("Decimals that a file would store with fewer digits, and numbers beyond floats, are refused")
    func precision() throws {
        #expect(try value("price", "1234567890123456789") == .decimal(Decimal(1_234_567_890_123_456_789)))
        #expect(try value("price", "\"0.1234567890123\"") == .decimal(try #require(Decimal(string: "0.1234567890123"))))
        let long = ["\"123456789012345678901234567890.12345678\"", "18446744073709551616", "\"1234567890123456789.5\""]
        for text in long + ["9.99999999999999999", "\"0.12345678901234567890\""] {
            #expect { try value("price", text) } throws: { "\($0)".contains("that a file keeps whole") }
        }
        let float = Attribute("ratio", .float)
        #expect(ValueImport.value(.real(1e38), float) == .real(1e38))
        #expect(ValueImport.value(.text("-inf"), float) == .real(-.infinity))
        #expect(ValueImport.value(.real(1e39), float) == nil)
    }

    @Test("A value that is given twice is refused")
    func twice() {
        let text = #"{"$entity":"Book","title":"a","title":"b"}"#
        #expect { try changes(text, Self.model()) } throws: {
            "\($0)".contains("'Book.title'") && "\($0)".contains("is there twice")
        }
    }
}
