import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// What is told of changes, between two files and within one.
@Suite("Comparisons and histories tell everything")
struct ComparisonTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static func model() throws -> Model {
        var list = EntityDescription("List")
        var items = Relationship("items", to: "Item", .toMany, inverse: "list")
        items.isOrdered = true
        list.relationships = [items]
        var item = EntityDescription("Item")
        var when = Attribute("when", .date, optional: true)
        when.preservesValueOnDeletion = true
        item.attributes = [Attribute("name", .string), when]
        item.relationships = [Relationship("list", to: "List", .toOne, inverse: "items")]
        return try Model([list, item])
    }

    @discardableResult
    private func make(_ url: URL, name: String = "a", reversed: Bool = false) throws -> SQLiteStore {
        let model = try Self.model()
        let store = try SQLiteStore(model: model, location: .file(url))
        let items = ["first", "second"].map { label in
            """
            {"$entity":"Item","$id":"\(label)","name":\(InspectedValue.text(name).json()),"list":"l",
            "when":"2001-01-01T00:00:00.250Z"}
            """.replacing("\n", with: "")
        }
        let order = reversed ? "[\"second\",\"first\"]" : "[\"first\",\"second\"]"
        let lines = items + ["{\"$entity\":\"List\",\"$id\":\"l\",\"items\":\(order)}"]
        let file = url.deletingLastPathComponent().appendingPathComponent("in.ndjson")
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        _ = try store.save(try RowImport(model, ImportSource(file)).changes(author: nil))
        return store
    }

    private func differences(_ entity: String, _ old: SQLiteStore, _ new: SQLiteStore) throws -> [String] {
        var found: [String] = []
        try old.reading { left in
            try new.reading { right in
                try RowComparison(entity, old.model, left, new.model, right, naming: nil).forEachDifference {
                    difference in
                    if case .changed(_, _, let changes) = difference { found += changes.map(\.property) }
                }
            }
        }
        return found
    }

    @Test("Spelling and the order of an ordered relationship are differences")
    func exactness() throws {
        try withFolder { folder in
            let plain = try make(folder.appendingPathComponent("a"), name: "caf\u{E9}")
            let same = try make(folder.appendingPathComponent("b"), name: "caf\u{E9}")
            let spelling = try make(folder.appendingPathComponent("c"), name: "cafe\u{301}")
            let order = try make(folder.appendingPathComponent("e"), name: "caf\u{E9}", reversed: true)
            #expect(try differences("Item", plain, same).isEmpty && differences("List", plain, same).isEmpty)
            #expect(try differences("Item", plain, spelling) == ["name", "name"])
            #expect(try differences("List", plain, order) == ["items"])
        }
    }

    @Test("The newest save before a number is found across gaps of any size")
    func gaps() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = try make(url)
            do {
                let connection = try Connection(.file(url), access: .readWrite)
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 << 60 WHERE Z_ENT = 16002")
            }
            #expect(try store.historyToken()?.number(of: store.identifier) == 1 << 60)
            #expect(try store.newestTransaction(before: .max) == 1)
            #expect(try store.newestTransaction(before: 2) == 1)
            #expect(try store.newestTransaction(before: 1) == nil)
        }
    }

    @Test("For programs, the history has dates in full")
    func history() throws {
        try withFolder { folder in
            let store = try make(folder.appendingPathComponent("a"))
            _ = try store.delete(DeleteRequest(.everything))
            let last = try #require(try store.history(after: nil).last)
            let listing = HistoryListing(last, in: store.model)
            #expect(listing.value.json().contains("2001-01-01T00:00:00.250Z"), "\(listing.value.json())")
            #expect(listing.changes.flatMap(\.kept).contains { $0.value == "2001-01-01 00:00:00" })
        }
    }
}
