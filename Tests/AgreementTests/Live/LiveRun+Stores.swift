import TestSupport

@testable import ObjectGraph
@testable import SQLiteStore

/// What stores do without contexts, and how their contexts are notified of it.
extension LiveRun {
    /// A long deletion, of which chunks have been committed or not.
    struct RunningJob {
        let job: DeleteJob
        let store: SQLiteStore
        let recorder: JobRecorder
    }

    // MARK: Notifying

    /// Passes saved changes to the contexts of the store that saved. Other stores find them in the history.
    func post(_ changes: SavedChanges, to store: SQLiteStore, except sender: ContextUnderTest? = nil) throws {
        for other in contexts.map(\.context) where other !== sender {
            if other.store === store { other.graph.inbox.post(changes) }
            try other.learnIDs()
        }
    }

    /// Passes to the contexts of a store what other stores of the file have saved.
    func poll(_ store: SQLiteStore) throws {
        let changes = try store.changesByOthers()
        if changes.isEmpty { return }
        polls += 1
        note("poll")
        try post(changes, to: store)
    }

    // MARK: Long deletions

    func workInStore(_ place: Int, _ random: inout SeededGenerator) throws {
        let store = contexts[place].context.store
        switch random.roll(10) {
        case 0..<2: try startLongDeletion(store, &random)
        case 2: try deleteAtOnce(store, &random)
        default: try executeChunk(&random)
        }
    }

    private func startLongDeletion(_ store: SQLiteStore, _ random: inout SeededGenerator) throws {
        guard let query = try smallQuery(store, &random) else { return }
        var options = DeleteJobOptions()
        (options.budget.rows, options.budget.links) = (1 + random.roll(3), 1 + random.roll(8))
        options.keeping = random.chance(70) ? .everyChunk : .none
        let recorder = JobRecorder()
        note("start to delete \(query)")
        do {
            let job = try store.startJob(DeleteRequest(.matching(query)), options, observer: recorder)
            jobs.append(RunningJob(job: job, store: store, recorder: recorder))
        } catch is DeleteError {
            note("  refused")
        }
    }

    private func deleteAtOnce(_ store: SQLiteStore, _ random: inout SeededGenerator) throws {
        guard let query = try smallQuery(store, &random) else { return }
        note("delete without a context \(query)")
        do {
            try post(SavedChanges(try store.delete(DeleteRequest(.matching(query)))), to: store)
        } catch is DeleteError {
            note("  refused")
        }
    }

    private func executeChunk(_ random: inout SeededGenerator) throws {
        guard !jobs.isEmpty else { return }
        let place = random.roll(jobs.count)
        let running = jobs[place]
        var isFinished = true
        do {
            isFinished = try running.job.step().phase == .finished
            note("delete a chunk")
            chunks += 1
        } catch is DeleteError {
            note("a chunk is refused")
            try running.store.discardJob(running.job.id)
        }
        if isFinished { jobs.remove(at: place) }
        for rows in running.recorder.takeResults() { try post(SavedChanges(rows), to: running.store) }
    }

    /// A query of few rows, mostly, so that some are left.
    private func smallQuery(_ store: SQLiteStore, _ random: inout SeededGenerator) throws -> Query? {
        let query = RandomQuery.make(model, &random)
        return try store.count(query) > 6 && random.chance(80) ? nil : query
    }
}
