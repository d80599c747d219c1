import Foundation
import ObjectGraph
import PredicateFormat
import SQLiteStore
import TestSupport
import Testing

/// Predicates of the maximum size.
@Suite("Large predicate formats in a database")
struct FormatLimitTests {
    private func found(_ text: String, _ arguments: [FormatArgument] = []) throws -> [ObjectID] {
        var random = SeededGenerator(seed: 1)
        let rows = try ZooRows(&random)
        let thing = try #require(rows.model.entity(named: "Thing"))
        let predicate = try PredicateFormat(parsing: text, arguments: arguments).expression(on: thing, in: rows.model)
        let sql = try rows.store.fetchIDs(Query(entityIndex: thing.index, predicate: predicate))
        #expect(try rows.memory.fetchIDs(Query(entityIndex: thing.index, predicate: predicate)) == sql)
        return sql
    }

    @Test("thousands of conditions can be combined")
    func wide() throws {
        let parts = (0..<5_000).map { "small != \($0 + 100)" }
        #expect(!(try found(parts.joined(separator: " AND ")).isEmpty))
        #expect(try found(parts.map { "small == \($0.count + 5_000)" }.joined(separator: " OR ")).isEmpty)
    }

    @Test("lists of many thousand members can be used")
    func lists() throws {
        let numbers = FormatArgument((0..<50_000).map { $0 })
        #expect(!(try found("small IN %@", [numbers]).isEmpty))
        let texts = FormatArgument(Array(repeating: ["a", "A", "é"], count: 10_000).flatMap { $0 })
        #expect(!(try found("title IN[cd] %@", [texts]).isEmpty))
    }

    @Test("conditions can be nested, up to half of the language's limit")
    func deep() throws {
        var text = "small == 1"
        for level in 0..<28 {
            text = level % 2 == 0 ? "(\(text)) AND small != \(level + 100)" : "(\(text)) OR small == \(level + 100)"
        }
        _ = try found(text)
    }

    @Test("long key paths across many relationships are evaluated, or refused with an error")
    func longPaths() throws {
        _ = try found(Array(repeating: "parent", count: 30).joined(separator: ".") + " == nil")
        #expect(throws: (any Error).self) {
            try found(Array(repeating: "parent", count: 75).joined(separator: ".") + ".small == 1")
        }
    }
}
