import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Running and stopping a delete in chunks")
struct JobRunningTests {
    @Test("run deletes everything, without blocking")
    func runs() async throws {
        let world = try JobZoo()
        let job = try world.job(3, rows: 4)
        #expect(try await job.run().rowsDone == 18)
        #expect(job.progress.totalUnitCount == 18)
        #expect(job.progress.completedUnitCount == 18)
        #expect(job.progress.isFinished)
        #expect(try world.count("Category") == 1)
    }

    @Test("updates deliver the start and every chunk")
    func updates() async throws {
        let world = try JobZoo()
        var seen: [Int] = []
        var phases: [DeleteJobProgress.Phase] = []
        for try await progress in try world.job(2, rows: 5).updates() {
            seen.append(progress.rowsDone)
            phases.append(progress.phase)
        }
        #expect(seen == [0, 5, 10, 12])
        #expect(phases == [.planned, .deleting, .deleting, .finished])
    }

    @Test("cancelled between chunks, written chunks stay and the rest can be resumed")
    func cancels() throws {
        let world = try JobZoo()
        let job = try world.job(2, rows: 5)
        _ = try job.step()
        job.progress.cancel()
        #expect(job.isCancelled)
        #expect(throws: CancellationError.self) { try job.step() }
        #expect(try world.count("Animal") == 15)
        #expect(try world.count("Category") == 4)
        #expect(try world.store.jobs().map(\.rowsDone) == [5])
        #expect(try world.store.resumeJob(job.id).finish().last?.rowsDone == 12)
    }

    @Test("cancelled immediately, the current chunk is rolled back")
    func cancelsNow() throws {
        let world = try JobZoo()
        let box = Locked<DeleteJob?>(nil)
        let job = try world.job(2, rows: 5, observer: JobWitness { box.withLock { $0 }?.cancel(.now) })
        box.withLock { $0 = job }
        #expect(throws: CancellationError.self) { try job.step() }
        box.withLock { $0 = nil }
        #expect(try world.count("Animal") == 20)
        #expect(try world.strays == 0)
        #expect(try world.store.jobs().map(\.rowsDone) == [0])
        // The connection can be used as before.
        #expect(try world.store.resumeJob(job.id).finish().last?.rowsDone == 12)
    }

    @Test("cancelled immediately, a job stops waiting for another connection's lock")
    func cancelsWaiting() async throws {
        let world = try JobZoo()
        let job = try world.job(2, rows: 5)
        let holder = try Connection(world.store.location, access: .readWrite)
        try holder.execute("BEGIN IMMEDIATE")
        let task = Task { try await job.run() }
        // Wherever it is by now, it ends by this and not by the lock.
        job.cancel(.now)
        await #expect(throws: CancellationError.self) { try await task.value }
        try holder.execute("ROLLBACK")
        #expect(try world.store.resumeJob(job.id).finish().last?.rowsDone == 12)
    }

    @Test("a cancelled task finishes its chunk and throws")
    func cancelsTask() async throws {
        let world = try JobZoo()
        let box = Locked<Task<DeleteJobProgress, any Error>?>(nil)
        let witness = JobWitness { box.withLock { $0 }?.cancel() }
        let job = try world.job(2, rows: 5, observer: witness)
        // Blocked until the observer knows the task.
        let task = box.withLock { box in
            let task = Task { try await job.run() }
            box = task
            return task
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        box.withLock { $0 = nil }
        #expect(try world.count("Animal") == 15)
        #expect(try world.store.jobs().map(\.rowsDone) == [5])
    }

    @Test("ending the iteration cancels the job")
    func stopsListening() async throws {
        let world = try JobZoo(categories: 2, animalsEach: 50)
        let job = try world.job(2, rows: 1) { $0.pauseMilliseconds = 1 }
        for try await progress in job.updates() where progress.chunkCount == 2 { break }
        #expect(try world.store.jobs().map(\.id) == [job.id])
    }

    @Test("one chunk runs at a time")
    func busy() throws {
        let world = try JobZoo()
        let box = Locked<DeleteJob?>(nil)
        let witness = JobWitness { try box.withLock { _ = try $0?.step() } }
        let job = try world.job(1, rows: 2, observer: witness)
        box.withLock { $0 = job }
        #expect(throws: DeleteJobError.busy(job.id)) { try job.step() }
        box.withLock { $0 = nil }
        #expect(try job.finish().last?.rowsDone == 6)
    }

    // MARK: Sizes

    @Test("chunks grow within the time budget, at most twofold, and shrink when it is exceeded")
    func sizes() throws {
        var budget = DeleteJobOptions.Budget()
        budget.rows = 60_000
        budget.links = 40_000
        budget.milliseconds = 50
        var sizer = ChunkSizer(budget)
        #expect(sizer.size == 1_000)
        func run(_ cost: Double, _ bytes: Int64 = 0) -> Int {
            let rows = sizer.size
            sizer.note(ChunkCost(rows: rows, milliseconds: Double(rows) * cost, bytes: bytes * Int64(rows)))
            return sizer.size
        }
        #expect(run(0.01) == 2_000)
        #expect(run(0.01) == 4_000)
        #expect(run(0.01) == 5_000)
        #expect(run(0.01) == 5_000)
        // Ten times the cost: half the size at most at a time.
        #expect(run(0.1) == 2_500)
        for _ in 0..<10 { _ = run(0.1) }
        #expect((480...520).contains(sizer.size))
        // Free of cost: back up to the limit.
        for _ in 0..<40 { _ = run(0) }
        #expect(sizer.size == 100_000)
        #expect(sizer.limit == ChunkLimit(rows: 60_000, links: 40_000, total: 100_000))
        // The log's budget limits it.
        for _ in 0..<40 { _ = run(0, 1 << 20) }
        #expect(sizer.size == 16)
        for _ in 0..<40 { _ = run(0, 1 << 30) }
        #expect(sizer.size == 1)
        for _ in 0..<40 { _ = run(0) }
        // A few rows are always a chunk, whatever they cost.
        for _ in 0..<40 { _ = run(1e9) }
        #expect(sizer.size == 16)
    }

    @Test(
        "if every chunk exceeds its time, however small, the number of chunks stays limited",
        arguments: 1...20)
    func fixedCost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var budget = DeleteJobOptions.Budget()
        (budget.rows, budget.links, budget.milliseconds) = (50, 0, 100)
        var sizer = ChunkSizer(budget)
        var (left, chunks) = (5_000, 0)
        while left > 0 {
            let rows = min(left, sizer.size)
            let milliseconds = Double.random(in: 120...300, using: &random) + 0.02 * Double(rows)
            sizer.note(ChunkCost(rows: rows, milliseconds: milliseconds, bytes: 0))
            (left, chunks) = (left - rows, chunks + 1)
        }
        #expect(chunks < 500, "seed \(seed)")
    }

    @Test("a chunk is measured by the clock and by its writes")
    func measures() throws {
        let world = try JobZoo(categories: 2, animalsEach: 40)
        let clock = Locked(0.0)
        var environment = JobEnvironment()
        // Each reading of the clock takes 60 milliseconds: so does each chunk.
        environment.milliseconds = {
            clock.withLock {
                $0 += 60; return $0
            }
        }
        var options = DeleteJobOptions()
        options.budget.rows = 20
        options.budget.milliseconds = 30
        let job = try world.store.startJob(world.request(2), options, environment)
        let steps = try job.finish()
        // Fewer rows took no less time.
        #expect(steps.prefix(4).map { $0.lastChunk?.rows } == [20, 10, 10, 10])
        #expect(steps.allSatisfy { $0.lastChunk?.milliseconds == 60 })
        #expect(steps.allSatisfy { $0.lastChunk?.bytes ?? 0 > 0 && ($0.lastChunk?.bytes ?? 0) % 4_120 == 0 })
    }
}
