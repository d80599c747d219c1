import Foundation
import ObjectGraph
import StoreSQL
import Testing

@testable import SQLiteStore

@Suite("Deletes in chunks")
struct DeleteJobTests {
    @Test("children are deleted first, in chunks of the budget, and the record with the last chunk")
    func chunks() throws {
        let world = try JobZoo()
        let witness = JobWitness()
        let job = try world.job(2, rows: 4, observer: witness)
        #expect(try world.hasTable)
        #expect(job.current == DeleteJobProgress(rowsDone: 0, rowsTotal: 12, chunkCount: 0))
        var seen: [[Int]] = []
        while job.current.phase != .finished {
            let progress = try job.step()
            #expect(try world.strays == 0)
            #expect(try world.hasTable == (progress.phase != .finished))
            seen.append([progress.rowsDone, progress.rowsTotal, progress.chunkCount, progress.lastChunk?.rows ?? 0])
        }
        #expect(seen == [[4, 12, 1, 4], [8, 12, 2, 4], [12, 12, 3, 4]])
        #expect(witness.committed.map { $0.plan.deleted.keysBySpace.count } == [1, 1, 2])
        #expect(try world.count("Category") == 2)
        #expect(try world.count("Animal") == 10)
        #expect(try world.count("Visit") == 20)
        #expect(try world.zoo.rows("SELECT 1 FROM \(world.joinTable)").count == 10)
        #expect(try job.step().phase == .finished)
        #expect(try world.store.jobs().isEmpty)
    }

    @Test("every row is announced before its commit, in pages, and reported once after it")
    func observer() throws {
        let world = try JobZoo()
        let witness = JobWitness()
        let plan = try world.store.plan(world.request(3))
        _ = try world.job(3, rows: 5, observer: witness).finish()
        #expect(witness.announced == plan.deleted)
        #expect(witness.deleted == plan.deleted)
        #expect(witness.committed.allSatisfy { $0.transactionNumber != nil })
        let pages = Array(plan.deleted.pages(of: 4))
        #expect(pages.map(\.count).allSatisfy { (1...4).contains($0) })
        #expect(pages.reduce(0) { $0 + $1.count } == plan.deleted.count)
        #expect(pages.reduce(into: RowSet()) { $0.formUnion($1) } == plan.deleted)
    }

    @Test("an observer that throws rolls back its chunk; the next attempt continues")
    func observerThrows() throws {
        struct Refused: Error {}
        let world = try JobZoo()
        let refuses = Locked(true)
        let witness = JobWitness { if refuses.withLock({ $0 }) { throw Refused() } }
        let job = try world.job(1, rows: 3, observer: witness)
        #expect(throws: Refused.self) { try job.step() }
        #expect(try world.count("Animal") == 20)
        #expect(job.current.rowsDone == 0)
        #expect(witness.committed.isEmpty)
        refuses.withLock { $0 = false }
        #expect(try job.finish().last?.rowsDone == 6)
        #expect(try world.count("Animal") == 15)
    }

    @Test("a delete in one transaction notifies its observer too, which can roll it back")
    func observerOfOne() throws {
        struct Refused: Error {}
        let world = try JobZoo()
        let witness = JobWitness()
        let result = try world.store.delete(world.request(1), observer: witness)
        #expect(witness.announced == result.plan.deleted)
        #expect(witness.committed.map(\.plan) == [result.plan])
        let other = JobWitness { throw Refused() }
        #expect(throws: Refused.self) { try world.store.delete(world.request(2), observer: other) }
        #expect(other.committed.isEmpty)
        #expect(try world.count("Category") == 3)
    }

    @Test("history lists every row once, with the author")
    func history() throws {
        let world = try JobZoo()
        var options = DeleteJobOptions()
        options.budget.rows = 4
        options.budget.milliseconds = 1e9
        let before = try world.zoo.rows("SELECT max(Z_PK) FROM ATRANSACTION")
        _ = try world.store.startJob(world.request(2, author: "cleaner"), options).finish()
        let authors = try world.zoo.rows(
            "SELECT s.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON t.ZAUTHORTS = s.Z_PK")
        #expect(authors == Array(repeating: [.text("cleaner")], count: 3))
        #expect(try world.zoo.rows("SELECT 1 FROM ACHANGE WHERE ZCHANGETYPE = 2").count == 12)
        #expect(
            try world.zoo.rows("SELECT DISTINCT ZENTITY, ZENTITYPK FROM ACHANGE WHERE ZCHANGETYPE = 2").count == 12)
        #expect(try world.zoo.rows("SELECT max(Z_PK) FROM ATRANSACTION") != before)
    }

    @Test("a delete of no rows is finished at once and leaves no table")
    func nothing() throws {
        let world = try JobZoo()
        let job = try world.store.startJob(DeleteRequest(.rows(RowSet())))
        #expect(job.current.phase == .finished)
        #expect(try !world.hasTable)
        #expect(try job.step().phase == .finished)
    }

    @Test("rows of a chain of cascades are deleted from its end, those of a cycle together")
    func chains() throws {
        var node = EntityDescription("Node")
        node.relationships = [
            Relationship("next", to: "Node", .toOne, inverse: "previous", deleteRule: .cascade),
            Relationship("previous", to: "Node", .toOne, inverse: "next"),
        ]
        let store = try SQLiteStore(model: try Model([node]), location: .memory)
        let keys = Array(Int64(1)...20)
        try store.pool.withWriter { connection in
            for key in keys {
                // A chain of ten, and a cycle of ten.
                let next = key == 10 ? "NULL" : key == 20 ? "11" : "\(key + 1)"
                let previous = key == 1 ? "NULL" : key == 11 ? "20" : "\(key - 1)"
                try connection.execute(
                    "INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZNEXT, ZPREVIOUS) VALUES (\(key), 1, 1, \(next), \(previous))"
                )
            }
        }
        let entity = try #require(store.model.entity(named: "Node"))
        var options = DeleteJobOptions()
        options.budget.rows = 3
        options.budget.milliseconds = 1e9
        let chain = JobWitness()
        let roots = RowSet([store.objectID(entity: entity, key: 1)])
        _ = try store.startJob(DeleteRequest(.rows(roots)), options, observer: chain).finish()
        #expect(
            chain.committed.flatMap { $0.plan.deleted.keysBySpace.values.map(\.keys) } == [
                [8, 9, 10], [5, 6, 7], [2, 3, 4], [1],
            ])
        let circle = JobWitness()
        let other = RowSet([store.objectID(entity: entity, key: 15)])
        _ = try store.startJob(DeleteRequest(.rows(other)), options, observer: circle).finish()
        #expect(circle.committed.map(\.plan.deleted.count) == [10])
        #expect(try store.count(Query(entityIndex: entity.index)) == 0)
    }

    @Test("files of external values are removed with their rows")
    func files() throws {
        let world = try JobZoo(categories: 0)
        let big = Data(repeating: 7, count: 300_000)
        let ids = try world.zoo.save { changes in
            changes.insertions = try (0..<6).map { _ in try world.zoo.insertion("Everything", ["picture": .bytes(big)])
            }
        }.inserted.map(\.id)
        let folder = try #require(world.zoo.folder)
        func fileCount() throws -> Int {
            let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
            return (all?.allObjects as? [URL] ?? []).filter {
                $0.path.contains("EXTERNAL_DATA/")
            }.count
        }
        #expect(try fileCount() == 6)
        var options = DeleteJobOptions()
        options.budget.rows = 2
        options.budget.milliseconds = 1e9
        let job = try world.store.startJob(DeleteRequest(.rows(RowSet(ids.prefix(4)))), options)
        _ = try job.step()
        #expect(try fileCount() == 4)
        _ = try job.finish()
        #expect(try fileCount() == 2)
    }

    @Test("free pages are returned between chunks and at the end")
    func vacuums() throws {
        let world = try JobZoo(categories: 6, animalsEach: 200)
        func freePages() throws -> [[Cell]] { try world.zoo.rows("PRAGMA freelist_count") }
        _ = try world.job(3, rows: 10_000).finish()
        #expect(try freePages() != [[.integer(0)]])
        let before = try world.zoo.rows("PRAGMA page_count")
        var phases: [DeleteJobProgress.Phase] = []
        let job = try world.store.startJob(
            DeleteRequest(.rows(RowSet(world.categories))),
            {
                var options = DeleteJobOptions()
                options.budget.rows = 150
                options.budget.milliseconds = 1e9
                options.vacuuming = .betweenChunks
                return options
            }())
        phases = try job.finish().map(\.phase)
        #expect(try freePages() == [[.integer(0)]])
        #expect(phases.last == .finished)
        #expect(phases.contains(.vacuuming))
        #expect(try world.zoo.rows("PRAGMA page_count") != before)
        #expect(try world.zoo.rows("PRAGMA integrity_check") == [[.text("ok")]])
    }

    @Test("the log is checkpointed after every chunk if requested")
    func checkpoints() throws {
        let world = try JobZoo()
        let job = try world.job(2, rows: 4) { $0.checkpoints = .afterEachChunk }
        world.zoo.log.clear()
        let steps = try job.finish().count
        #expect(world.zoo.log.statements.filter { $0.contains("wal_checkpoint") }.count == steps)
    }

    @Test("a read-only store starts and drops no jobs, but lists them")
    func readOnly() throws {
        let world = try JobZoo()
        let job = try world.job(1, rows: 2)
        let reader = try SQLiteStore(
            model: world.zoo.model, location: world.store.location, isReadOnly: true)
        #expect(try reader.jobs().map(\.id) == [job.id])
        #expect(throws: StoreAccessError.readOnly) { try reader.startJob(world.request(1)) }
        #expect(throws: StoreAccessError.readOnly) { try reader.resumeJob(job.id) }
        #expect(throws: StoreAccessError.readOnly) { try reader.discardJob(job.id) }
    }
}
