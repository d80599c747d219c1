import Foundation
import ObjectGraph
import Testing

@testable import AppleFormats
@testable import SQLiteStore

/// Queries with a progress, and their cancellation.
@Suite("Metered fetches")
struct MeteredFetchTests {
    @Test("A statement that has not returned a row yet is stopped, too", arguments: 0...3)
    func stopping(way: Int) throws {
        let zoo = try ZooStore(.file)
        try zoo.save { changes in
            changes.insertions = try (0..<5000).map { try zoo.insertion("Tag", ["label": .text("\($0)")]) }
        }
        let progress = Progress(totalUnitCount: 0)
        var options = SQLiteStore.Options()
        // Started, and cancelled before its first row.
        options.onStatement = { if $0.contains("FROM ZTAG") { progress.cancel() } }
        let store = try SQLiteStore(
            model: zoo.model, location: .file(try #require(zoo.url)), options: options)
        var query = Query(entityIndex: try zoo.entity("Tag").index)
        let label = try zoo.attribute("Tag", "label")
        // Every row is read before the first result, or the count.
        query.sort = [SortKey(label)]
        query.predicate = .compare(.notEqual, label, .literal(.text("none")))
        query.meter = RowMeter(progress)
        #expect(throws: CancellationError.self) {
            switch way {
            case 0: _ = try store.fetch(query)
            case 1: _ = try store.fetchIDs(query)
            case 2: try store.forEachRow(of: query) { _ in }
            default: _ = try store.count(query)
            }
        }
        #expect(progress.completedUnitCount == 0)
        query.meter = nil
        #expect(try store.fetch(query).count == 5000)
    }

    @Test("Rows are counted by pages, the rest at the end")
    func pages() throws {
        let progress = Progress(totalUnitCount: 0)
        var pages = ReadPages(RowMeter(progress))
        var reported: Set<Int64> = []
        for _ in 0..<(ReadPages.rowsPerPage * 2 + 5) {
            try pages.addRow()
            reported.insert(progress.completedUnitCount)
        }
        try pages.end()
        let page = Int64(ReadPages.rowsPerPage)
        #expect(reported == [0, page, page * 2])
        #expect(progress.completedUnitCount == page * 2 + 5)
        progress.cancel()
        #expect(throws: CancellationError.self) { for _ in 0..<page { try pages.addRow() } }
    }

    @Test("Metadata are changed in the transaction of the save, and rolled back with it")
    func metadata() throws {
        let zoo = try ZooStore(.file)
        struct Refusal: Error {}
        let url = try #require(zoo.url)
        func owner() throws -> PropertyList? { (try StoreFiles.metadata(at: url)).propertyList["owner"] }
        var changes = ChangeSet()
        changes.insertions = [try zoo.insertion("Tag", [:])]
        zoo.store.changeMetadataWithNextSave(MetadataChange(["owner": .string("me")]))
        #expect(throws: Refusal.self) { try zoo.store.save(changes) { throw Refusal() } }
        #expect(try owner() == nil)
        zoo.log.clear()
        _ = try zoo.store.save(changes)
        let statements = zoo.log.statements
        #expect(statements.filter { $0 == "COMMIT" }.count == 1)
        let writing = try #require(statements.firstIndex { $0.hasPrefix("INSERT INTO Z_METADATA") })
        #expect(writing < (statements.firstIndex(of: "COMMIT") ?? 0))
        #expect(try owner() == .string("me"))
        #expect(try zoo.fetch("Tag").count == 1)
    }
}
