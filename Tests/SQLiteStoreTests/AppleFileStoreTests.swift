import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

/// Files written by Apple's frameworks, read and written through the complete store. Skipped if they are missing.
@Suite("Stores on Apple's files", .realFiles)
struct AppleFileStoreTests {
    @Test("every row is read with the file's own model", arguments: RealFile.all)
    func readEverything(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        for entity in copy.model.entities {
            var query = Query(entityIndex: entity.index)
            let rows = try store.fetch(query)
            #expect(try store.count(query) == rows.count)
            #expect(try store.fetchIDs(query) == rows.map(\.id))
            #expect(Set(try store.snapshots(of: rows.map(\.id))) == Set(rows))
            var oneByOne: [Snapshot] = []
            try store.forEachRow(of: query) { oneByOne.append($0) }
            #expect(oneByOne == rows)
            query.includesSubentities = false
            #expect(try store.fetch(query).allSatisfy { $0.id.entityName == entity.name })
            for relationship in entity.relationships where !relationship.isToOne {
                let members = try store.members(
                    of: relationship.index, entityIndex: entity.index, owners: rows.map(\.id))
                #expect(members.count <= rows.count)
            }
        }
        let total = try copy.model.entities.filter(\.isRoot).reduce(0) {
            try $0 + store.count(Query(entityIndex: $1.index))
        }
        #expect(total > 0)
    }

    @Test("bit sets of Apple's updates have the same length as ours", arguments: RealFile.withHistory)
    func changedColumnLengths(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url), isReadOnly: true)
        let layout = try #require(store.saveRunner.history)
        typealias Change = HistoryTables.Change
        let sql =
            "SELECT DISTINCT \(Change.entity), length(\(Change.columns)) FROM \(Change.table) "
            + "WHERE \(Change.changeType) = 1"
        try store.pool.withReader { connection in
            try connection.withStatement(sql) { statement in
                while try statement.step() {
                    let number = Int(statement.integer(at: 0))
                    let index = try #require(store.map.entityIndexByNumber[number])
                    let expected = (layout.changedColumns[index].bitCount + 7) / 8
                    #expect(Int(statement.integer(at: 1)) == expected, "\(copy.model[index].name)")
                }
            }
        }
    }

    @Test(
        "an update and a deletion are written, with history, and the file stays consistent",
        arguments: RealFile.all)
    func writeBack(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        for entity in copy.model.entities where !entity.isAbstract && !entity.hasSubentities {
            guard let row = try store.fetch(Query(entityIndex: entity.index)).first else { continue }
            var changes = ChangeSet()
            changes.updates = [
                ChangeSet.Update(
                    id: row.id, entityIndex: entity.index, expectedVersion: row.version, values: row.values,
                    changedSlots: Array(entity.slots.indices), changedToMany: [])
            ]
            guard case .saved(let saved) = try store.save(changes) else {
                Issue.record("conflict in \(entity.name)")
                continue
            }
            let now = try #require(try store.snapshots(of: [row.id]).first)
            #expect(now.values == row.values, "\(entity.name) is written as it was read")
            #expect(now.version == row.version + 1)
            #expect((saved.transactionNumber != nil) == (store.saveRunner.history != nil))
            changes = ChangeSet()
            changes.deletions = [
                ChangeSet.Deletion(id: row.id, entityIndex: entity.index, expectedVersion: now.version)
            ]
            let others: [Conflict]
            switch try store.save(changes) {
            case .saved: others = []
            case .conflicts(let conflicts): others = conflicts
            }
            // The graph, not the store, finds the rows that delete rules affect.
            #expect(others.filter { !$0.refersToDeleted }.isEmpty, "conflict in \(entity.name)")
            #expect(try store.snapshots(of: [row.id]).isEmpty == others.isEmpty)
        }
        let check = try store.pool.withWriter { connection in
            try connection.withStatement("PRAGMA integrity_check") { try $0.step() ? $0.text(at: 0) : "" }
        }
        #expect(check == "ok")
    }
}
