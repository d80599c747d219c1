import Foundation
import ModelText
import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore
@testable import StoreInspection

/// Malicious, or merely unusual, texts and numbers of a file.
@Suite("Hostile texts and counts of a file do no harm")
struct HostileTextTests {
    @Test("A quotation mark followed by a combining mark is still a quotation mark")
    func combiningMarks() throws {
        let text = "a\"\u{301},b"
        let line = InspectedValue.csvLine([.text(text), "c"])
        #expect(try CSVReading.lines(line) == [[text, "c"]])
        #expect(
            "'\u{301}".replacingScalar("'", with: "'\\''").unicodeScalars.elementsEqual("'\\''\u{301}".unicodeScalars))
    }

    @Test("Sums of counts that exceed the integer range do not trap")
    func counts() {
        let kept = ArchivedDelete(
            token: RecoveryToken(), date: Date(timeIntervalSinceReferenceDate: 0), author: nil, summary: "",
            rowCount: .max, linkCount: .max, byteCount: .max)
        let group = ArchivedDeletionGroup(steps: [kept, kept])
        #expect(group.rowCount == .max && group.linkCount == .max && group.byteCount == .max)
        #expect([Int.min, -1].saturatingSum() == .min && [Int]().saturatingSum() == 0 && [1, 2].saturatingSum() == 3)
        #expect(Amounts.bytes(.min).hasPrefix("-"))
    }

    @Test("Sums in the tables of archived deletes are limited when they are read")
    func keptCounts() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("a.store")
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string)]
        let store = try SQLiteStore(model: try Model([item]), location: .file(url))
        for name in ["a", "b"] {
            var changes = ChangeSet()
            changes.insertions = [
                ChangeSet.Insertion(id: .temporary(entityName: "Item"), entityIndex: 0, values: [.text(name)])
            ]
            _ = try store.save(changes)
            var request = DeleteRequest(.everything)
            request.recovery = .archived()
            _ = try store.delete(request)
        }
        do {
            let connection = try Connection(.file(url), access: .readWrite)
            try connection.execute(
                "UPDATE \(RecoveryTables.Delete.table) SET \(RecoveryTables.Delete.rowCount) = -5, "
                    + "\(RecoveryTables.Delete.byteCount) = 9223372036854775807")
        }
        let kept = try store.archivedDeletes()
        #expect(kept.map(\.rowCount) == [0, 0] && kept.map(\.byteCount) == [.max, .max])
        #expect(try store.purge(.downTo(byteCount: .max)).count == 0)
        #expect(try store.purge(.downTo(byteCount: 10)).count == 2)
    }

    @Test("A token of a few characters selects nothing", arguments: ["", "A", "abc"])
    func shortTokens(text: String) {
        let only = ArchivedDelete(
            token: RecoveryToken(), date: Date(), author: nil, summary: "", rowCount: 1, linkCount: 0, byteCount: 1)
        #expect(throws: InspectionError.self) { try ArchivedDeletionSelection([only]).group(text) }
        let beginning = String(only.token.description.prefix(4))
        #expect(throws: Never.self) { try ArchivedDeletionSelection([only]).group(beginning) }
    }

    @Test("A model's texts stay within the comments of generated source")
    func comments() throws {
        let evil = "1.0\nimport Evil\r\u{2028}let x = 1"
        var item = EntityDescription("Item")
        var sum = Attribute("sum", .integer64, optional: true)
        sum.derivation = "a\nfatalError()"
        var thing = Attribute("thing", .transformable, optional: true)
        thing.transformerName = "T\nfatalError()"
        item.attributes = [Attribute("name", .string), sum, thing]
        item.indexes = [
            FetchIndex(name: "evil", propertyNames: ["name.x) ; fatalError() ; ("]),
            FetchIndex(name: "good", propertyNames: ["name"]),
        ]
        let source = SwiftModelSource(try Model([item], versionIdentifiers: [evil])).text
        for line in source.split(whereSeparator: \.isNewline) {
            let code = line.trimmingPrefix(while: \.isWhitespace)
            let isHarmful = ["import Evil", "let x", "fatalError"].contains { code.hasPrefix($0) }
            #expect(!isHarmful, "\(line)")
        }
        #expect(source.contains("#Index<Item>([\\.name])"), "\(source)")
    }

    /// Objects of one class, each with a list that contains the next one many times.
    private func chain(_ className: String, _ list: String, _ fields: [String: PropertyList]) throws -> ArchivedObject {
        let length: UInt64 = 30
        var objects: [PropertyList] = [
            .string("$null"), .dictionary(["$classname": .string(className)]),
            .string(String(repeating: "long", count: 10_000)),
        ]
        for place in 0..<length {
            var object = fields
            object["$class"] = .uid(1)
            object["NSSelectorName"] = .uid(2)
            object[list] = .array(
                Array(repeating: .uid(UInt64(objects.count) + (place == length - 1 ? 0 : 1)), count: 30))
            objects.append(.dictionary(object))
        }
        let archive = KeyedArchive(
            .dictionary(["$objects": .array(objects), "$top": .dictionary(["root": .uid(3)])]))
        return try #require(archive?.root)
    }

    @Test("Archived expressions that expand excessively are refused before they fill the memory")
    func sharedExpressions() throws {
        let function = try chain("NSFunctionExpression", "NSArguments", [:])
        #expect(try #require(DerivationText.text(of: function, TextBudget())).utf8.count < 10_000_000)
        let compound = try chain("NSCompoundPredicate", "NSSubpredicates", ["NSCompoundPredicateType": .integer(1)])
        #expect(PredicateText.text(of: compound, TextBudget()).utf8.count < 40_000_000)
        let few = TextBudget(100)
        #expect(few.take(60) && !few.take(50) && !few.take(1))
    }

    @Test("Exact equality distinguishes Unicode spellings, zeros and NaN")
    func equality() {
        #expect(!InspectedValue.text("\u{E9}").isExactly(.text("e\u{301}")))
        #expect(!InspectedValue.real(0).isExactly(.real(-0.0)))
        #expect(InspectedValue.real(.nan).isExactly(.real(.nan)))
        #expect(!InspectedValue.list(["\u{E9}"]).isExactly(.list(["e\u{301}"])))
        #expect(!SlotValues([.text("\u{E9}")]).isExactly([.text("e\u{301}")]))
        #expect(SlotValues([.integer(1), .null]).isExactly([.integer(1), .null]))
    }

    @Test("The time of a date near the reference date is written completely, or as a number")
    func dates() throws {
        var description = EntityDescription("Item")
        description.attributes = [Attribute("when", .date)]
        let leaf = try #require(Model([description]).entity(named: "Item")?.attributes.first?.attribute)
        let rendering = RowRendering(try Model([description]), .exact)
        for seconds in [0.1, 0.30000000000000004, 0.123456789012345678, -1e-20, 1e-20, 3.0000000000000004, 86400.1] {
            switch rendering.value(.real(seconds), leaf) {
            case .text(let text): #expect(DateText.seconds(text) == seconds, "\(seconds): \(text)")
            case .real(let number): #expect(number == seconds)
            default: Issue.record("\(seconds)")
            }
        }
        #expect(DateText.exact(0.30000000000000004).flatMap(DateText.seconds) == 0.30000000000000004)
    }

    @Test("A journal that begins with zeros belongs to no transaction")
    func zeroedJournal() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("a.sqlite")
        try Data().write(to: url)
        let connection = try Connection(.file(url), access: .readWrite)
        try connection.execute("PRAGMA journal_mode = PERSIST")
        try connection.execute("CREATE TABLE t (x)")
        let file = try DatabaseFile(url)
        #expect((file.journalStamp?.size ?? 0) > 0)
        #expect(!file.hasJournal && file.isUnchanged)
        try Data([0xD9, 0xD5]).write(to: file.journalURL)
        #expect(try DatabaseFile(url).hasJournal && !file.isUnchanged)
    }
}
