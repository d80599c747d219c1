import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Archived deletions")
struct ArchivedDeleteTests {
    private static let big = Data(repeating: 5, count: 200_000)

    private func files(_ zoo: ZooStore) throws -> Set<String> {
        let folder = try #require(zoo.folder).appendingPathComponent(".zoo_SUPPORT/_EXTERNAL_DATA")
        return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    /// A category with animals, whose tags, visits and keeper stay.
    private func fill(_ zoo: ZooStore, animalCount: Int) throws -> ObjectID {
        let (category, tag) = (try zoo.insertion("Category", ["name": .text("c")]), try zoo.insertion("Tag", [:]))
        let keeper = try zoo.insertion("Doctor", [:])
        let animals = try (0..<animalCount).map { number in
            try zoo.insertion(
                "Animal",
                [
                    "name": .text("a\(number)"), "category": .reference(category.id), "keeper": .reference(keeper.id),
                ])
        }
        let visits = try animals.map { try zoo.insertion("Visit", ["animal": .reference($0.id)]) }
        let rows = try zoo.save { changes in
            changes.insertions = [category, tag, keeper] + animals + visits
            changes.links = [try zoo.link(tag.id, "animals", added: animals.map(\.id))]
            changes.links += try zip(animals, visits).map { animal, visit in
                try zoo.link(animal.id, "visits", order: [visit.id])
            }
        }
        return rows.inserted[0].id
    }

    @Test("a delete with cascades, join rows, orders and survivors of every shape is restored completely")
    func everyShape() throws {
        let zoo = try ZooStore()
        let category = try fill(zoo, animalCount: 7)
        let before = try zoo.contents()
        let token = try zoo.deleteKept(category)
        let kept = try #require(try zoo.store.archivedDeletes().first)
        #expect(kept.token == token && kept.rowCount == 8 && kept.linkCount == 14 && kept.byteCount > 8 * 24)
        #expect(kept.summary == "1 Category, 7 Animal by Category.animals")
        let result = try zoo.store.restore(token, .strict)
        #expect(result.restored.count == 8 && result.updated.count == 9 && result.isComplete)
        #expect(try zoo.contents().difference(from: before) == "")
    }

    @Test("the number of statements does not depend on the number of rows")
    func statementCount() throws {
        var counts: [[Int]] = []
        // With fewer, SQLite is not used to provide the keys, which takes a query first.
        for animalCount in [100, 10_000] {
            let zoo = try ZooStore()
            let category = try fill(zoo, animalCount: animalCount)
            let before = try zoo.contents()
            zoo.log.clear()
            let token = try zoo.deleteKept(category)
            let deleting = zoo.log.statements.count
            zoo.log.clear()
            _ = try zoo.store.restore(token, .strict)
            counts.append([deleting, zoo.log.statements.count])
            #expect(try zoo.contents() == before)
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0].allSatisfy { $0 < 120 }, "\(counts)")
    }

    @Test("whether an end is restored is looked up by its key, without a scan")
    func lookUps() throws {
        let zoo = try ZooStore()
        let token = try zoo.deleteKept(try fill(zoo, animalCount: 3))
        let plan = try zoo.store.pool.withReader { connection in
            let kept = try ArchivedRows([token], map: zoo.store.map, spaces: zoo.store.spaces, connection)
            let condition = kept.existsTest("l.OSD_TARGET", "ZANIMAL", out: KeySet([1]))
            let sql: SQLText = "EXPLAIN QUERY PLAN SELECT 1 FROM OSD_LINKS l WHERE \(condition)"
            return try connection.withStatement(sql) { statement in
                var lines: [String] = []
                while try statement.step() { lines.append(statement.text(at: 3)) }
                return lines
            }
        }
        #expect(plan.contains("SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
        #expect(plan.filter { $0.hasPrefix("SCAN") } == ["SCAN l"], "\(plan)")
    }

    @Test("a delete without a recovery option, or of no rows, archives nothing")
    func nothingKept() throws {
        let zoo = try ZooStore()
        let tag = try zoo.insert("Tag", [:])
        let schema = try zoo.contents().schema
        #expect(try zoo.store.delete(DeleteRequest(.rows(RowSet([tag.id])))).token == nil)
        var nothing = DeleteRequest(.rows(RowSet([tag.id])))
        nothing.recovery = .archived()
        #expect(try zoo.store.delete(nothing).token == nil)
        #expect(try zoo.contents().schema == schema)
        #expect(try zoo.store.archivedDeletes().isEmpty)
        #expect(try zoo.store.purge(.everything).isEmpty)
    }

    @Test("a plan executed later is archived too, and a refused one is not")
    func laterAndRefused() throws {
        let zoo = try Family.store()
        let parent = try zoo.insert("Parent", [:])
        _ = try zoo.insert("Child", ["parent": .reference(parent.id)])
        let before = try zoo.contents()
        var request = DeleteRequest(.everything)
        request.recovery = .archived()
        request.author = "somebody"
        let token = try #require(try zoo.store.execute(zoo.store.plan(request), of: request).token)
        #expect(token == request.recovery.token)
        #expect(try zoo.store.archivedDeletes().map(\.author) == ["somebody"])
        #expect(try zoo.contents().rows["ZPARENT"] == [])
        _ = try zoo.store.restore(token, .strict)
        #expect(try zoo.contents().difference(from: before) == "")
        request.mostRows = 1
        #expect(throws: DeleteError.self) { try zoo.store.delete(request) }
        #expect(try zoo.contents().difference(from: before) == "")
    }

    @Test("a delete within a save is archived; a survivor that the same save changes keeps that change")
    func withinSave() throws {
        let zoo = try ZooStore()
        let keeper = try zoo.insert("Person", [:])
        let animals = try ["a", "b"].map {
            try zoo.insert("Animal", ["name": .text($0), "keeper": .reference(keeper.id)])
        }
        var request = DeleteRequest(.rows(RowSet([keeper.id])))
        request.recovery = .archived()
        _ = try zoo.save { changes in
            changes.bulkDelete = request
            changes.updates = [try zoo.update(animals[0], ["age": .integer(3)])]
        }
        let token = try #require(request.recovery.token)
        let result = try zoo.store.restore(token, .strict)
        #expect(result.updated == RowSet(animals.map(\.id)))
        let first = try zoo.snapshot(animals[0].id)
        #expect(try zoo.value(first, "age") == .integer(3))
        #expect(try zoo.value(first, "keeper") == .reference(keeper.id))
        #expect(first.version == animals[0].version + 3)
        let second = try zoo.snapshot(animals[1].id)
        #expect(second.values == animals[1].values)
        #expect(second.version == animals[1].version + 2)
    }

    @Test("DV53 deletes that affect the same survivor are restored in any order, each to a new version")
    func orders() throws {
        for isReverse in [true, false] {
            let zoo = try ZooStore()
            let (keeper, category) = (try zoo.insert("Person", [:]), try zoo.insert("Category", ["name": .text("c")]))
            let tag = try zoo.insert("Tag", [:])
            let animal = try zoo.insert("Animal", ["name": .text("Tom"), "keeper": .reference(keeper.id)])
            try zoo.save { $0.links = [try zoo.link(tag.id, "animals", added: [animal.id])] }
            let before = try zoo.contents()
            let tokens = [try zoo.deleteKept(keeper.id), try zoo.deleteKept(tag.id), try zoo.deleteKept(category.id)]
            for token in isReverse ? tokens.reversed() : tokens { _ = try zoo.store.restore(token, .strict) }
            let back = try zoo.snapshot(animal.id)
            #expect(try zoo.value(back, "keeper") == .reference(keeper.id))
            #expect(try zoo.members(animal.id, "tags") == [tag.id])
            if isReverse { #expect(try zoo.contents().difference(from: before) == "") }
            #expect(try zoo.contents().schema == before.schema)
            #expect(back.version == animal.version + 4)
        }
    }

    // MARK: Files

    @Test("files stay while their rows are archived, are used again after a restore, and are removed with a purge")
    func externalFiles() throws {
        let zoo = try ZooStore(.file)
        let row = try zoo.insert("Everything", ["picture": .bytes(Self.big), "title": .text("t")])
        let (before, present) = (try zoo.contents(), try files(zoo))
        let token = try zoo.deleteKept(row.id)
        #expect(try files(zoo) == present && present.count == 1)
        #expect(try #require(try zoo.store.archivedDeletes().first).byteCount > 200_000)
        #expect(try zoo.store.pool.withReader { try ArchivedFile.allNames($0) } == present)
        // No row refers to them, and yet they must not be removed.
        #expect(try zoo.store.check().isEmpty)
        #expect(try zoo.store.repairPlan().isEmpty)
        _ = try zoo.store.restore(token, .strict)
        #expect(try zoo.contents().difference(from: before) == "")
        #expect(try zoo.snapshot(row.id) == row)
        #expect(try files(zoo) == present)
        let second = try zoo.deleteKept(row.id)
        zoo.log.clear()
        #expect(try zoo.store.purge(.token(second)).map(\.token) == [second])
        #expect(zoo.log.statements.first == "PRAGMA synchronous = FULL")
        #expect(try files(zoo).isEmpty)
        #expect(try zoo.contents().schema == before.schema)
    }

    // MARK: Purging

    @Test("the chunks of one delete are discarded together, and not before the last is old enough")
    func chunksTogether() throws {
        let zoo = try ZooStore()
        let tags = try (0..<4).map { _ in try zoo.insert("Tag", [:]) }
        let job = UUID()
        let tokens = [RecoveryToken(chunk: 0, of: job), RecoveryToken(), RecoveryToken(chunk: 1, of: job)]
        #expect(tokens[0].delete == tokens[2].delete)
        #expect(tokens[0].delete != tokens[1].delete)
        for (index, token) in tokens.enumerated() {
            var request = DeleteRequest(.rows(RowSet([tags[index].id])))
            request.recovery = .archived(token)
            _ = try zoo.store.delete(request)
            try zoo.store.pool.withWriter {
                try $0.execute("UPDATE OSD_DELETES SET OSD_TIME = \(index * 100) WHERE OSD_TOKEN = '\(token)'")
            }
        }
        #expect(try zoo.store.purge(.olderThan(Date(timeIntervalSinceReferenceDate: 50))).isEmpty)
        let size = try zoo.store.archivedDeletes().reduce(0) { $0 + $1.byteCount }
        #expect(try zoo.store.purge(.downTo(byteCount: size - 1)).map(\.token) == [tokens[1]])
        #expect(try zoo.store.purge(.token(tokens[2])).map(\.token) == [tokens[0], tokens[2]])
        #expect(try zoo.store.archivedDeletes().isEmpty)
    }

    @Test(
        "archived deletions are discarded by token, by age, by size and altogether; the tables are dropped with the last"
    )
    func purging() throws {
        let zoo = try ZooStore()
        let tags = try (0..<5).map { try zoo.insert("Tag", ["label": .text(String(repeating: "x", count: 100 * $0))]) }
        let before = try zoo.contents()
        let tokens = try tags.map { try zoo.deleteKept($0.id) }
        for (index, token) in tokens.enumerated() {
            try zoo.store.pool.withWriter {
                try $0.execute("UPDATE OSD_DELETES SET OSD_TIME = \(index * 100) WHERE OSD_TOKEN = '\(token)'")
            }
        }
        #expect(try zoo.store.purge(.token(RecoveryToken())).isEmpty)
        #expect(try zoo.store.purge(.token(tokens[1])).map(\.token) == [tokens[1]])
        let limit = Date(timeIntervalSinceReferenceDate: 200)
        #expect(try zoo.store.purge(.olderThan(limit)).map(\.token) == [tokens[0]])
        let rest = try zoo.store.archivedDeletes()
        #expect(rest.map(\.token) == Array(tokens[2...]))
        #expect(rest.map(\.byteCount) == [224, 324, 424])
        #expect(try zoo.store.purge(.downTo(byteCount: 1000)).isEmpty)
        #expect(try zoo.store.purge(.downTo(byteCount: 748)).map(\.token) == [tokens[2]])
        #expect(try zoo.store.purge(.downTo(byteCount: 747)).map(\.token) == [tokens[3]])
        #expect(throws: RecoveryError.unknownToken(tokens[3])) { try zoo.store.restore(tokens[3], .strict) }
        #expect(try zoo.store.purge(.everything).map(\.token) == [tokens[4]])
        #expect(try zoo.contents().schema == before.schema)
    }

    // MARK: The file

    @Test("an unknown column of a table is archived with the rest, also one that was added since")
    func unknownColumns() throws {
        let zoo = try ZooStore()
        let (a, b) = (try zoo.insert("Tag", [:]), try zoo.insert("Tag", [:]))
        try zoo.store.pool.withWriter {
            try $0.execute("ALTER TABLE ZTAG ADD COLUMN \"odd, \"\"name\"\" order\" VARCHAR")
            try $0.execute("UPDATE ZTAG SET \"odd, \"\"name\"\" order\" = 'kept'")
        }
        let first = try zoo.deleteKept(a.id)
        try zoo.store.pool.withWriter {
            try $0.execute("ALTER TABLE ZTAG ADD COLUMN GROUP_ INTEGER")
            try $0.execute("UPDATE ZTAG SET GROUP_ = 5")
        }
        let before = try zoo.contents().appleRows
        let second = try zoo.deleteKept(b.id)
        _ = try zoo.store.restore(second, .strict)
        #expect(try zoo.contents().appleRows == before)
        _ = try zoo.store.restore(first, .strict)
        #expect(try zoo.rows("SELECT \"odd, \"\"name\"\" order\" FROM ZTAG") == [[.text("kept")], [.text("kept")]])
    }

    @Test("a store with archived deletions opens as usual; read-only it lists them and refuses to restore or purge")
    func reopening() throws {
        let zoo = try ZooStore(.file)
        let category = try fill(zoo, animalCount: 3)
        let before = try zoo.contents()
        let token = try zoo.deleteKept(category)
        let url = try #require(zoo.url)
        let reader = try SQLiteStore(model: zoo.model, location: .file(url), isReadOnly: true)
        #expect(try reader.archivedDeletes() == zoo.store.archivedDeletes())
        #expect(try reader.conflicts(restoring: token).isEmpty)
        #expect(throws: StoreAccessError.readOnly) { try reader.restore(token, .strict) }
        #expect(throws: StoreAccessError.readOnly) { try reader.purge(.everything) }
        let other = try SQLiteStore(model: zoo.model, location: .file(url))
        _ = try (zoo.store.changesByOthers(), other.changesByOthers())
        #expect(try other.restore(token, .strict).restored.count == 4)
        // Other stores see the change; the restoring one knows it.
        #expect(try zoo.store.changesByOthers().inserted.count == 4)
        #expect(try other.changesByOthers().isEmpty)
        #expect(try zoo.contents().difference(from: before) == "")
        #expect(try reader.archivedDeletes().isEmpty)
    }

    // MARK: All or nothing

    private struct Stop: Error {}

    @Test("a failure half way leaves everything unchanged")
    func allOrNothing() throws {
        let zoo = try ZooStore()
        let category = try fill(zoo, animalCount: 3)
        let before = try zoo.contents()
        var changes = ChangeSet()
        var request = DeleteRequest(.rows(RowSet([category])))
        request.recovery = .archived()
        changes.bulkDelete = request
        #expect(throws: Stop.self) { try zoo.store.save(changes) { throw Stop() } }
        #expect(try zoo.contents() == before)
        let token = try zoo.deleteKept(request)
        let kept = try zoo.contents()
        for rule in [RestoreRule.strict, .skippingConflicts] {
            #expect(throws: Stop.self) { try zoo.store.restore(token, rule, author: nil) { throw Stop() } }
            #expect(try zoo.contents() == kept)
        }
        #expect(try zoo.store.restore(token, .strict).isComplete)
        #expect(try zoo.contents() == before)
    }

    // MARK: History

    @Test("history lists restored rows as inserted, survivors as updated")
    func history() throws {
        let zoo = try ZooStore()
        let keeper = try zoo.insert("Keeper", [:])
        let animal = try zoo.insert("Animal", ["name": .text("Tom"), "keeper": .reference(keeper.id)])
        let token = try zoo.deleteKept(keeper.id)
        let cleared = try changes(zoo)
        let result = try zoo.store.restore(token, .strict, author: "me")
        let number = try #require(result.transactionNumber)
        let entities = zoo.store.map.entities
        let rows = try changes(zoo)
        #expect(
            rows.map { Array($0.prefix(3)) } == [
                [
                    .integer(0), .integer(Int64(entities[try zoo.entity("Keeper").index].entityNumber)),
                    .integer(keeper.id.key),
                ],
                [
                    .integer(1), .integer(Int64(entities[try zoo.entity("Animal").index].entityNumber)),
                    .integer(animal.id.key),
                ],
            ])
        // The same columns as when the reference was nullified.
        #expect(rows.last?.last == cleared.last?.last)
        let authors = try zoo.rows(
            "SELECT s.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS "
                + "WHERE t.Z_PK = \(number)")
        #expect(authors == [[.text("me")]])
        #expect(
            try zoo.rows("SELECT (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16001) = max(Z_PK) FROM ACHANGE")
                == [[.integer(1)]])
    }

    /// The last transaction's.
    private func changes(_ zoo: ZooStore) throws -> [[Cell]] {
        try zoo.rows(
            "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE "
                + "WHERE ZTRANSACTIONID = (SELECT max(Z_PK) FROM ATRANSACTION) ORDER BY Z_PK")
    }
}
