import Foundation
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

/// Long deletes compared with the same delete in one transaction, over random models and rows, in chunks of few rows.
@Suite("Deletes in chunks have the result of deletes at once")
struct DeleteJobAgreementTests {
    /// Equal: all rows and join rows, and the deleted rows and updated survivors in history. Row versions of survivors may be
    /// higher: each chunk that clears a link increments them.
    @Test("tables, history and refusals are equal, and every chunk obeys the rules", arguments: Seeds.rounds(40))
    func agrees(seed: UInt64) throws {
        var digest = BehaviourDigest()
        try chunkedAndAtOnce(seed, &digest)
    }

    func chunkedAndAtOnce(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0xC4A9)
        let atOnce = try JobWorld(seed: seed, rows: 40)
        let chunked = try JobWorld(seed: seed, rows: 40)
        defer { digest.add(chunked: chunked, atOnce: atOnce) }
        let failure = "seed \(seed)\n\(atOnce.schema)"
        let picks = (0..<(1 + random.roll(8))).compactMap { _ in random.pick(Array(atOnce.ids.indices)) }
        let request = DeleteRequest(.rows(RowSet(picks.map { atOnce.ids[$0] })))
        let before = try chunked.violations()
        let versions = try atOnce.versions()
        let job: DeleteJob
        do {
            job = try chunked.store.startJob(
                DeleteRequest(.rows(RowSet(picks.map { chunked.ids[$0] }))), options(&random))
        } catch let error as DeleteError {
            digest.add("refused", refusals: [error])
            #expect(throws: DeleteError.self, "\(failure)") { try atOnce.store.delete(request) }
            #expect(try chunked.contents() == atOnce.contents(), "\(failure)")
            return
        }
        let result = try atOnce.store.delete(request)
        while try job.step().phase != .finished {
            digest.add("chunk", of: job)
            let broken = try chunked.violations().subtracting(before)
            #expect(broken.isEmpty, "\(broken.sorted()) \(failure)")
        }
        #expect(try chunked.contents() == atOnce.contents(), "\(failure)")
        #expect(try chunked.deletions() == atOnce.deletions(), "\(failure)")
        #expect(try chunked.updates() == atOnce.updates(), "\(failure)")
        #expect(job.current.rowsDone == result.plan.deleted.count, "\(failure)")
        #expect(job.current.rowsTotal == result.plan.deleted.count, "\(failure)")
        let (one, many) = (try atOnce.versions(), try chunked.versions())
        for (row, version) in one {
            let raised = version != versions[row]
            #expect(raised ? many[row] ?? 0 >= version : many[row] == version, "\(row) \(failure)")
        }
        try expectNoTable(chunked, failure)
    }

    /// A row is deleted only while it is reachable from the roots; whatever other contexts change, every chunk obeys the rules, and
    /// in the end the roots are deleted or the delete is refused because of those changes.
    @Test("concurrent writes between chunks are not lost", arguments: Seeds.rounds(40))
    func survivesOthers(seed: UInt64) throws {
        var digest = BehaviourDigest()
        try amongOthers(seed, &digest)
    }

    func amongOthers(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0x07E5)
        let world = try JobWorld(seed: seed &+ 5_000, rows: 40)
        defer { digest.add("among others", tablesOf: world.store) }
        let failure = "seed \(seed)\n\(world.schema)"
        let roots = RowSet((0..<(1 + random.roll(8))).compactMap { _ in random.pick(world.ids) })
        let request = DeleteRequest(.rows(roots))
        let recorder = JobRecorder()
        let options = options(1 + random.roll(7), links: 3 + random.roll(20))
        let job: DeleteJob
        do {
            job = try world.store.startJob(request, options, observer: recorder)
        } catch let error as DeleteError {
            digest.add("refused", refusals: [error])
            #expect(try !world.store.plan(request).refusals.isEmpty, "\(failure)")
            return
        }
        while true {
            for _ in 0..<random.roll(4) { try world.edit(&random) }
            let before = try world.violations()
            let expected = try world.store.plan(request)
            do {
                let progress = try job.step()
                digest.add("chunk", of: job)
                let deleted = recorder.takeDeleted()
                #expect(deleted.subtracting(expected.deleted).isEmpty, "\(failure)")
                let broken = try world.violations().subtracting(before)
                #expect(broken.isEmpty, "\(broken.sorted()), having deleted \(deleted) \(failure)")
                if progress.phase == .finished { break }
            } catch let error as DeleteError {
                digest.add("refused", refusals: [error])
                #expect(!expected.refusals.isEmpty, "\(failure)")
                try world.store.discardJob(job.id)
                return
            }
        }
        #expect(try world.store.plan(request).isEmpty, "\(failure)")
        try expectNoTable(world, failure)
    }

    /// The remaining rows are found from the remaining roots, wherever it stops.
    @Test("resumed after any chunk, it has the same result", arguments: Seeds.rounds(20))
    func resumes(seed: UInt64) throws {
        var digest = BehaviourDigest()
        try resumed(seed, &digest)
    }

    func resumed(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0x4E5)
        let atOnce = try JobWorld(seed: seed &+ 9_000, rows: 40)
        let chunked = try JobWorld(seed: seed &+ 9_000, rows: 40)
        defer { digest.add(chunked: chunked, atOnce: atOnce) }
        let failure = "seed \(seed)\n\(atOnce.schema)"
        let picks = (0..<(1 + random.roll(8))).compactMap { _ in random.pick(Array(atOnce.ids.indices)) }
        var job: DeleteJob
        do {
            job = try chunked.store.startJob(
                DeleteRequest(.rows(RowSet(picks.map { chunked.ids[$0] }))), options(&random))
        } catch let error as DeleteError {
            digest.add("refused", refusals: [error])
            #expect(
                try !chunked.store.plan(DeleteRequest(.rows(RowSet(picks.map { chunked.ids[$0] })))).refusals.isEmpty)
            return
        }
        let result = try atOnce.store.delete(DeleteRequest(.rows(RowSet(picks.map { atOnce.ids[$0] }))))
        while try job.step().phase != .finished {
            digest.add("chunk", of: job)
            job = try chunked.store.resumeJob(job.id)
        }
        #expect(try chunked.contents() == atOnce.contents(), "\(failure)")
        #expect(job.current.rowsDone == result.plan.deleted.count, "\(failure)")
        #expect(job.current.rowsTotal == result.plan.deleted.count, "\(failure)")
        try expectNoTable(chunked, failure)
    }

    /// Restoring a chunk restores the state after the one before, the last chunk first; survivors have new versions (DV53).
    @Test("an archived long delete is restored chunk by chunk", arguments: Seeds.rounds(24))
    func comesBack(seed: UInt64) throws {
        var digest = BehaviourDigest()
        try restored(seed, &digest)
    }

    func restored(_ seed: UInt64, _ digest: inout BehaviourDigest) throws {
        var random = SeededGenerator(seed: seed &+ 0x4E57)
        let world = try JobWorld(seed: seed &+ 14_000, rows: 40)
        defer { digest.add("restored", tablesOf: world.store) }
        let failure = "seed \(seed)\n\(world.schema)"
        let request = DeleteRequest(
            .rows(RowSet((0..<(1 + random.roll(8))).compactMap { _ in random.pick(world.ids) })))
        var options = options(&random)
        options.keeping = .everyChunk
        guard try world.store.plan(request).refusals.isEmpty else {
            #expect(throws: DeleteError.self, "\(failure)") { try world.store.startJob(request, options) }
            return
        }
        var job = try world.store.startJob(request, options)
        var states: [(contents: [String: Set<[String]>], versions: [[String]: Int])] = []
        while job.current.phase != .finished {
            let state = (try world.contents(), try world.versions())
            let count = job.current.chunkCount
            // The remaining rows may be deleted already.
            if try job.step().chunkCount > count { states.append(state) }
            if job.current.phase != .finished, random.chance(20) { job = try world.store.resumeJob(job.id) }
        }
        digest.add("deleted", tablesOf: world.store)
        let kept = try world.store.archivedDeletes()
        #expect(kept.count == states.count, "\(failure)")
        for (delete, state) in zip(kept, states).reversed() {
            #expect(try world.store.restore(delete.token, .strict).isComplete, "\(failure)")
            #expect(try world.contents() == state.contents, "\(failure)")
            let versions = try world.versions()
            #expect(versions.keys == state.versions.keys, "\(failure)")
            #expect(state.versions.allSatisfy { versions[$0.key] ?? 0 >= $0.value }, "\(failure)")
        }
        try expectNoTable(world, failure)
    }

    private func options(_ rows: Int, links: Int) -> DeleteJobOptions {
        var options = DeleteJobOptions()
        options.budget.rows = rows
        options.budget.links = links
        return options
    }

    /// Few rows, and few links or any number.
    private func options(_ random: inout SeededGenerator) -> DeleteJobOptions {
        options(1 + random.roll(7), links: random.chance(70) ? 1 + random.roll(6) : 1_000)
    }

    private func expectNoTable(_ world: JobWorld, _ failure: String) throws {
        let tables = try world.rows("SELECT name FROM sqlite_master WHERE name LIKE 'OSD%'")
        #expect(tables.isEmpty, "\(tables) \(failure)")
    }
}

extension BehaviourDigest {
    fileprivate mutating func add(chunked: JobWorld, atOnce: JobWorld) {
        add("in chunks", tablesOf: chunked.store)
        add("at once", tablesOf: atOnce.store)
    }

    fileprivate mutating func add(_ heading: String, of job: DeleteJob) {
        let progress = job.current
        add(heading, ["\(progress.chunkCount): \(progress.rowsDone) of \(progress.rowsTotal), \(progress.phase)"])
    }
}

/// Records its notifications.
final class JobRecorder: DeleteObserver {
    private let results = Locked<[SavedRows]>([])

    func didCommit(_ result: SavedRows) { results.withLock { $0.append(result) } }

    func takeResults() -> [SavedRows] {
        results.withLock { results in
            defer { results = [] }
            return results
        }
    }

    func takeDeleted() -> RowSet { takeResults().reduce(into: RowSet()) { $0.formUnion($1.plan.deleted) } }
}
