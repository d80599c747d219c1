import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// Differences between two files, and the history of one.
@Suite("Comparisons and histories are complete")
struct ComparisonTests {
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

    @Test("Unicode spelling and the order of an ordered relationship are differences")
    func exactness() throws {
        try withTemporaryFolder { folder in
            let plain = try make(folder.appendingPathComponent("a"), name: "caf\u{E9}")
            let same = try make(folder.appendingPathComponent("b"), name: "caf\u{E9}")
            let spelling = try make(folder.appendingPathComponent("c"), name: "cafe\u{301}")
            let order = try make(folder.appendingPathComponent("e"), name: "caf\u{E9}", reversed: true)
            #expect(try differences("Item", plain, same).isEmpty && differences("List", plain, same).isEmpty)
            #expect(try differences("Item", plain, spelling) == ["name", "name"])
            #expect(try differences("List", plain, order) == ["items"])
        }
    }

    @Test("Added, removed and changed rows have the labels of listings")
    func labels() throws {
        var list = EntityDescription("List")
        list.attributes = [Attribute("title", .string)]
        var item = EntityDescription("Item")
        item.attributes = [Attribute("amount", .integer64), Attribute("unit", .string)]
        item.relationships = [Relationship("list", to: "List", .toOne)]
        let model = try Model([list, item])
        func make(_ url: URL, _ amounts: [Int]) throws -> SQLiteStore {
            let store = try SQLiteStore(model: model, location: .file(url))
            let items = amounts.enumerated().map { place, amount in
                "{\"$entity\":\"Item\",\"$id\":\"\(place)\",\"amount\":\(amount),\"unit\":\"g\",\"list\":\"l\"}"
            }
            let file = url.deletingLastPathComponent().appendingPathComponent("in.ndjson")
            let lines = ["{\"$entity\":\"List\",\"$id\":\"l\",\"title\":\"Flour\"}"] + items
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            _ = try store.save(try RowImport(model, ImportSource(file)).changes(author: nil))
            return store
        }
        func labels(_ old: SQLiteStore, _ new: SQLiteStore, by names: [String]) throws -> Set<String> {
            var found: Set<String> = []
            let naming = names.isEmpty ? nil : try RowNaming(names, model, model)
            try old.reading { left in
                try new.reading { right in
                    try RowComparison("Item", model, left, model, right, naming: naming).forEachDifference {
                        switch $0 {
                        case .added(_, let label): found.insert("+ \(label ?? "none")")
                        case .removed(_, let label): found.insert("- \(label ?? "none")")
                        case .changed(_, let label, _): found.insert("~ \(label ?? "none")")
                        }
                    }
                }
            }
            return found
        }
        try withTemporaryFolder { folder in
            let old = try make(folder.appendingPathComponent("a"), [100, 200, 300])
            let new = try make(folder.appendingPathComponent("b"), [100, 250])
            #expect(try labels(old, new, by: []) == ["~ 250 g · Flour", "- 300 g · Flour"])
            #expect(try labels(new, old, by: []) == ["~ 200 g · Flour", "+ 300 g · Flour"])
            let byAmount: Set = ["- 200 g · Flour", "- 300 g · Flour", "+ 250 g · Flour"]
            #expect(try labels(old, new, by: ["Item.amount"]) == byAmount)
            #expect(try labels(old, new, by: ["List.title"]) == byAmount)
        }
    }

    @Test("Differences of models include indexes, default values and hash modifiers")
    func models() throws {
        func lines(_ change: (inout EntityDescription) -> Void) throws -> [String] {
            func model(_ change: (inout EntityDescription) -> Void) throws -> Model {
                var item = EntityDescription("Item")
                item.attributes = [Attribute("name", .string), Attribute("count", .integer64)]
                item.attributes[1].defaultValue = [.integer(1)]
                item.relationships = [Relationship("next", to: "Item", .toOne)]
                item.indexes = [FetchIndex(name: "byName", propertyNames: ["name"])]
                change(&item)
                return try Model([item])
            }
            return ModelDifference(try model { _ in }, try model(change)).lines.map { "\($0.sign) \($0.text)" }
        }
        #expect(try lines { _ in } == [])
        #expect(
            try lines { $0.indexes[0].elements[0].isAscending = false } == [
                "~ Item.byName (index): name → name descending"
            ])
        #expect(try lines { $0.indexes[0].condition = "count > 1" }.first?.hasSuffix("name where count > 1") == true)
        #expect(try lines { $0.indexes = [] } == ["- Item.byName (index): name"])
        #expect(
            try lines { $0.attributes[1].defaultValue = [.integer(2)] } == [
                "~ Item.count: Int64, default 1 → Int64, default 2"
            ])
        #expect(try lines { $0.attributes[1].defaultValue = nil } == ["~ Item.count: Int64, default 1 → Int64"])
        #expect(try lines { $0.attributes[0].defaultValue = [.text("")] }.first?.hasSuffix(", default \"\"") == true)
        #expect(try lines { $0.versionHashModifier = "2" } == ["~ Item: root → root, hash modifier '2'"])
        #expect(
            try lines { $0.attributes[0].versionHashModifier = "b" }.first?.hasSuffix("String, hash modifier 'b'")
                == true)
        #expect(
            try lines { $0.relationships[0].versionHashModifier = "c" }.first?.hasSuffix(", hash modifier 'c'") == true)
    }

    private struct Found: Equatable {
        var differences: [String] = []
        var ambiguity: RowNames.Ambiguity?
    }

    /// Stores of items with these names, `nil` for none; `when` is the index in the list by default.
    private func found(_ old: [(String?, Double)], _ new: [(String?, Double)]) throws -> Found {
        func store(_ rows: [(String?, Double)]) throws -> SQLiteStore {
            var item = EntityDescription("Item")
            item.attributes = [Attribute("name", .string, optional: true), Attribute("when", .double)]
            let store = try SQLiteStore(model: try Model([item]), location: .memory)
            var changes = ChangeSet()
            changes.insertions = rows.map { name, when in
                ChangeSet.Insertion(
                    id: .temporary(entityName: "Item"), entityIndex: 0,
                    values: [name.map(Value.text) ?? .null, .real(when)])
            }
            _ = try store.save(changes)
            return store
        }
        let (old, new) = (try store(old), try store(new))
        var found = Found()
        try old.reading { left in
            try new.reading { right in
                let naming = try RowNaming(["name"], old.model, new.model)
                try RowComparison("Item", old.model, left, new.model, right, naming: naming).forEachDifference {
                    found.ambiguity = $0
                } _: { difference in
                    switch difference {
                    case .added(let id, _): found.differences.append("+\(id.key)")
                    case .removed(let id, _): found.differences.append("-\(id.key)")
                    case .changed(let id, _, _): found.differences.append("~\(id.key)")
                    }
                }
            }
        }
        found.differences.sort()
        return found
    }

    @Test("Rows with a shared name, or without one, are compared by their values, which is reported")
    func sharedNames() throws {
        #expect(try found([("a", 1), ("b", 2)], [("b", 2), ("a", 3)]) == Found(differences: ["~2"]))
        let plain: [(String?, Double)] = [("a", 1), ("b", 2), ("b", 3), (nil, 4), (nil, 5)]
        let ambiguity = RowNames.Ambiguity(property: "name", sharedCount: 1, namelessCount: 4)
        #expect(try found(plain, plain.reversed()) == Found(ambiguity: ambiguity))
        let other: [(String?, Double)] = [("a", 9), ("b", 3), ("b", 2), (nil, 5), (nil, 6)]
        #expect(try found(plain, other) == Found(differences: ["+5", "-4", "~1"], ambiguity: ambiguity))
        // One of two rows with the same name is missing: it is known which one.
        let one = RowNames.Ambiguity(property: "name", sharedCount: 1, namelessCount: 0)
        #expect(try found([("b", 2), ("b", 3)], [("b", 3)]) == Found(differences: ["-1"], ambiguity: one))
    }

    @Test("The newest save before a number is found across gaps of any size")
    func gaps() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = try make(url)
            do {
                let connection = try Connection(.file(url), access: .readWrite)
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 << 60 WHERE Z_ENT = 16002")
            }
            #expect(try store.historyToken()?.number(of: store.identifier) == 1 << 60)
            let listing = HistoryListing(store)
            #expect(try listing.newest(2).map(\.number) == [1])
            #expect(try listing.newest(2, before: 2).map(\.number) == [1])
            #expect(try listing.newest(2, before: 1).isEmpty)
        }
    }

    @Test("JSON of the history has complete dates")
    func history() throws {
        try withTemporaryFolder { folder in
            let store = try make(folder.appendingPathComponent("a"))
            _ = try store.delete(DeleteRequest(.everything))
            let listing = HistoryListing(store)
            let last = try #require(try listing.newest(1).first)
            let entry = try listing.entry(last, changes: 100)
            let exact = InspectedValue.list(entry.exact.map(\.value)).json()
            #expect(exact.contains("2001-01-01T00:00:00.250Z"), "\(exact)")
            #expect(entry.changes.flatMap(\.preserved).contains { $0.value == "2001-01-01 00:00:00" })
        }
    }

    @Test("Names that differ in Unicode spelling are different; rows are matched by exact name")
    func spelledNames() throws {
        var item = EntityDescription("Item")
        item.attributes = [Attribute("name", .string), Attribute("rank", .integer64)]
        let model = try Model([item])
        let stores = try [[1, 2], [1, 3]].map { ranks in
            let store = try SQLiteStore(model: model, location: .memory)
            var changes = ChangeSet()
            for (name, rank) in zip(["caf\u{E9}", "cafe\u{301}"], ranks) {
                changes.insertions.append(
                    ChangeSet.Insertion(
                        id: .temporary(entityName: "Item"), entityIndex: 0,
                        values: SlotValues([.text(name), .integer(Int64(rank))])))
            }
            _ = try store.save(changes)
            return store
        }
        let naming = try RowNaming(["name"], model, model)
        var found: [String] = []
        try stores[0].reading { old in
            try stores[1].reading { new in
                try RowComparison("Item", model, old, model, new, naming: naming).forEachDifference { difference in
                    if case .changed(let id, _, let changes) = difference {
                        found.append("\(id.key) \(changes.map(\.property))")
                    } else {
                        found.append("\(difference)")
                    }
                }
            }
        }
        #expect(found == ["2 [\"rank\"]"])
    }

    @Test("A comparison of equal stores can be stopped")
    func stopping() throws {
        struct Stop: Error {}
        try withTemporaryFolder { folder in
            let store = try make(folder.appendingPathComponent("a"))
            for naming in [
                nil, try RowNaming(["name"], store.model, store.model), try RowNaming([], store.model, store.model),
            ] {
                try store.reading { reading in
                    var comparison = try RowComparison(
                        "Item", store.model, reading, store.model, reading, naming: naming)
                    comparison.checkpoint = { _ in throw Stop() }
                    #expect(throws: Stop.self) { try comparison.forEachDifference { _ in } }
                }
            }
        }
    }
}
