import Foundation
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("History in Apple's files", .realFiles)
struct AppleHistoryTests {
    /// Files with a history.
    static let stores = RealFile.all.filter { file in
        guard let copy = try? RealFileCopy(file), let connection = try? Connection(.file(copy.url), access: .readOnly)
        else { return false }
        let count = try? connection.withStatement("SELECT count(*) FROM ATRANSACTION") {
            try $0.step() ? $0.integer(at: 0) : 0
        }
        return count ?? 0 > 0
    }

    private func read(_ store: SQLiteStore, limit: Int) throws -> [HistoryTransaction] {
        var read: [HistoryTransaction] = []
        while true {
            let page = try store.history(after: read.last?.token, limit: limit)
            if page.isEmpty { return read }
            read += page
        }
    }

    private func integers(_ store: SQLiteStore, _ sql: String) throws -> [[Int64]] {
        try store.pool.withReader { connection in
            let statement = try connection.prepare(sql)
            var rows: [[Int64]] = []
            while try statement.step() { rows.append((0..<statement.columnCount).map { statement.integer(at: $0) }) }
            return rows
        }
    }

    @Test("every transaction and change is read, with texts and changed properties", arguments: stores)
    func readEverything(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url), isReadOnly: true)
        let history = try read(store, limit: 7)
        #expect(try history.map(\.number) == integers(store, "SELECT Z_PK FROM ATRANSACTION ORDER BY 1").map { $0[0] })
        #expect(!history.isEmpty)
        let texts = history.map { [$0.processID, $0.bundleID] }
        #expect(texts.allSatisfy { !$0.contains(nil) && !$0.contains("") })
        #expect(history.allSatisfy { (700_000_000...800_000_000).contains($0.timestamp) })
        let rows = try integers(
            store, "SELECT Z_PK, ZTRANSACTIONID, ZENTITY, ZENTITYPK, ZCHANGETYPE FROM ACHANGE ORDER BY 2, 1")
        let changes = history.flatMap { transaction in transaction.changes.map { (transaction.number, $0) } }
        #expect(changes.count == rows.count)
        for (row, (transaction, change)) in zip(rows, changes) {
            let entity = try #require(copy.model.entity(named: change.id.entityName))
            let number = Int64(store.map.entities[entity.index].entityNumber)
            let kind: Int64
            switch change.kind {
            case .insert: kind = 0
            case .update(let changed):
                kind = 1
                #expect(!changed.mayMissSome && !(changed.slots.isEmpty && changed.toMany.isEmpty))
            case .delete: kind = 2
            }
            #expect(row == [change.number, transaction, number, change.id.key, kind])
        }
    }

    @Test("the sum of all changes gives the existing rows", arguments: stores)
    func sum(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        let sum = try store.historySum(after: nil)
        #expect(sum.updatedIDs.isEmpty, "all of it began with an insertion")
        let inserted = Dictionary(grouping: sum.inserted, by: \.entityName)
        let deleted = Dictionary(grouping: sum.deleted, by: \.entityName)
        for name in Set(inserted.keys).union(deleted.keys) {
            let entity = try #require(copy.model.entity(named: name))
            var query = Query(entityIndex: entity.index)
            query.includesSubentities = false
            let rows = try store.fetchIDs(query)
            #expect(Set(deleted[name] ?? []).isDisjoint(with: rows), "\(name)")
            #expect(rows == inserted[name] ?? [], "\(name)")
        }
    }

    @Test(
        "after pruning to the last transaction, the file is consistent and its counters are unchanged",
        arguments: stores)
    func prune(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        let counters = try integers(store, "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1")
        let history = try read(store, limit: 100)
        let last = try #require(history.last)
        #expect(try store.pruneHistory(before: .token(last.token)) == history.count - 1)
        #expect(try store.history(after: nil) == [last])
        #expect(try integers(store, "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1") == counters)
        #expect(try store.changesByOthers().isEmpty)
        let check = try store.pool.withWriter { connection in
            try connection.withStatement("PRAGMA integrity_check") { try $0.step() ? $0.text(at: 0) : "" }
        }
        #expect(check == "ok")
    }
}
