import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The one delete, or undo, that may be under way. Runs on a thread of its own, and tells here how far it is.
final class Work: Sendable {
    private let source: StoreSource
    private let options: BrowserOptions
    private let queue = DispatchQueue(label: "OpenSwiftData.StoreBrowser.Work")
    private let state = Locked(State())

    private struct State {
        var status: WorkStatus? {
            didSet { watchers.tell(status) }
        }
        var watchers = WorkWatchers()
        var job: DeleteJob?
        /// Whether the program is about to end.
        var isEnding = false
        /// Stop was pressed.
        var isStopping = false
        var onStep: @Sendable () -> Void = {}
    }

    init(_ source: StoreSource, _ options: BrowserOptions) {
        self.source = source
        self.options = options
    }

    var status: WorkStatus? { state.withLock { $0.status } }

    /// The state now, and as it changes, until nothing is under way any more.
    func states() -> AsyncStream<WorkStatus> {
        let (stream, continuation) = AsyncStream<WorkStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in state.watchers.add(continuation, now: state.status) }
        return stream
    }

    /// Tells nobody any more, so that connections can be closed.
    func endTelling() { state.withLock { $0.watchers.end() } }

    /// Has something done after each step of a delete, on the thread that carries it out.
    func afterEachStep(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onStep = body } }

    /// Takes up a delete that an earlier run, or another program, did not bring to its end.
    func takeUp(_ jobs: [DeleteJobRecord]) {
        guard let job = jobs.first else { return }
        var status = WorkStatus(
            id: job.id, phase: .stopped, subject: Amounts.count(job.rowsTotal, "row"), total: job.rowsTotal,
            isInSteps: true)
        status.done = job.rowsDone
        if job.options.keeping == .everyChunk { status.token = RecoveryToken(uuid: job.id) }
        state.withLock { [status] state in
            if state.status == nil { state.status = status }
        }
    }

    // MARK: What pages ask for

    /// - Throws: `Problem.busy`.
    func delete(_ shown: ShownPlan) throws {
        let status = WorkStatus(
            id: UUID(), phase: .deleting, subject: shown.subject, total: shown.plan.deleted.count,
            isInSteps: shown.plan.deleted.count > options.rowsPerStep)
        try begin(status) { work in
            let store = try work.opened()
            if status.isInSteps { try work.deleteInSteps(shown, store) } else { try work.deleteAtOnce(shown, store) }
        }
    }

    /// Stops after the step under way; what is done stays done.
    func stop() {
        let job = state.withLock { state -> DeleteJob? in
            guard let status = state.status, status.mayStop else { return nil }
            state.isStopping = true
            if status.phase == .deleting { state.status?.phase = .stopping }
            return state.job
        }
        job?.cancel(.afterChunk)
    }

    /// Goes on with a delete that was stopped.
    /// - Throws: `Problem`.
    func resume() throws {
        guard let before = status, before.mayResume else { throw Problem.nothingHere }
        var status = before
        (status.phase, status.problem) = (.deleting, nil)
        try begin(status, replacing: before.id) { work in
            let store = try work.opened()
            try work.run(try store.resumeJob(before.id))
        }
    }

    /// Takes back what the last delete did.
    /// - Throws: `Problem`.
    func undo() throws {
        guard let before = status, before.mayUndo, let token = before.token else { throw Problem.nothingHere }
        try restore(token, before.subject, drops: before.mayResume ? before.id : nil, orElse: before)
    }

    /// - Parameter token: of a kept delete, or of all steps of one.
    /// - Throws: `Problem.busy`.
    func restore(_ token: RecoveryToken, _ subject: String) throws {
        try restore(token, subject, drops: nil, orElse: nil)
    }

    private func restore(
        _ token: RecoveryToken, _ subject: String, drops job: UUID?, orElse before: WorkStatus?
    ) throws {
        let status = WorkStatus(id: before?.id ?? UUID(), phase: .restoring, subject: subject, total: before?.done ?? 0)
        try begin(status, replacing: before?.id, orElse: before) { work in
            let store = try work.opened()
            try work.restoreSteps(of: token, store)
            if let job { try? store.dropJob(job) }
            work.update { $0.phase = .restored }
        }
    }

    /// Gives up what a delete kept: its rows cannot be brought back any more.
    /// - Parameter delete: one of those that are kept.
    /// - Throws: `Problem.busy`.
    func forget(_ delete: KeptGroup) throws {
        let status = WorkStatus(
            id: UUID(), phase: .forgetting, subject: Amounts.count(delete.rowCount, "row"), total: delete.rowCount)
        try begin(status) { work in
            let store = try work.opened()
            for step in delete.steps {
                let gone = try store.purge(.token(step.token))
                work.update { $0.done += gone.reduce(0) { $0 + $1.rowCount } }
            }
            work.update { $0.phase = .forgotten }
        }
    }

    /// Leaves everything as it is now. A delete that was stopped cannot be resumed any more.
    func dismiss() throws {
        // Taken away first, so that nobody resumes it while it is dropped.
        let dismissed = try state.withLock { state in
            guard let status = state.status, !status.isUnderWay else { throw Problem.busy }
            state.status = nil
            return status
        }
        if dismissed.mayResume { try? source.writable { _, _ in }.store.dropJob(dismissed.id) }
    }

    /// Stops what is under way and waits for it. To be called before the program ends.
    func end() async {
        state.withLock { $0.isEnding = true }
        stop()
        await settled()
    }

    /// Waits for what is under way.
    func settled() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    // MARK: Running

    /// - Parameters:
    ///   - known: the work that is gone on from, which somebody may have dismissed meanwhile.
    ///   - before: what is told again if this fails.
    private func begin(
        _ status: WorkStatus, replacing known: UUID? = nil, orElse before: WorkStatus? = nil,
        _ body: @escaping @Sendable (Work) throws -> Void
    ) throws {
        try state.withLock { state in
            if let now = state.status, now.isUnderWay { throw Problem.busy }
            if let known, state.status?.id != known { throw Problem.nothingHere }
            guard !state.isEnding else { throw Problem.busy }
            (state.status, state.job, state.isStopping) = (status, nil, false)
        }
        queue.async {
            do {
                try body(self)
            } catch is CancellationError {
                self.update { $0.phase = .stopped }
            } catch {
                self.fail(error, before)
            }
            self.state.withLock { $0.job = nil }
        }
    }

    private func fail(_ error: any Error, _ before: WorkStatus?) {
        let text = Problem(error).text
        update { status in
            let isHalfRestored = status.phase == .restoring && status.done > 0
            if let before, !isHalfRestored {
                status = before
            } else {
                status.phase = status.isInSteps && status.done > 0 ? .stopped : .failed
            }
            status.problem = text
        }
    }

    private func update(_ body: (inout WorkStatus) -> Void) {
        state.withLock { state in
            guard var status = state.status else { return }
            body(&status)
            state.status = status
        }
    }

    private func checkStop() throws {
        if state.withLock({ $0.isStopping }) { throw CancellationError() }
    }

    /// The file, open for writing, after its backup the first time.
    private func opened() throws -> SQLiteStore {
        guard let asked = status else { throw CancellationError() }
        // What was counted meanwhile were bytes.
        defer { update { ($0.phase, $0.done, $0.total) = (asked.phase, asked.done, asked.total) } }
        let opened = try source.writable { done, total in
            try self.checkStop()
            self.update { ($0.phase, $0.done, $0.total) = (.copying, Int(done), Int(total)) }
        }
        update { $0.backup = opened.backup }
        try checkStop()
        return opened.store
    }

    // MARK: Deleting

    /// - Throws: `DeleteError.storeMoved` when it would not do any more what was shown.
    private func deleteAtOnce(_ shown: ShownPlan, _ store: SQLiteStore) throws {
        var request = shown.request
        request.recovery = .kept()
        let result = try store.execute(shown.plan, of: request)
        update { status in
            (status.done, status.phase, status.token) = (result.plan.deleted.count, .deleted, result.token)
        }
    }

    private func deleteInSteps(_ shown: ShownPlan, _ store: SQLiteStore) throws {
        guard try store.plan(shown.request) == shown.plan else { throw DeleteError.storeMoved }
        var jobOptions = DeleteJobOptions()
        jobOptions.keeping = .everyChunk
        // Small enough that the bar moves, and that stopping is felt.
        jobOptions.budget.rows = options.rowsPerStep
        let job = try store.startJob(shown.request, jobOptions)
        renumber(job.id)
        try run(job)
    }

    /// From here on the work has the identifier by which its delete can be resumed.
    private func renumber(_ id: UUID) {
        state.withLock { state in
            guard let old = state.status else { return }
            var status = WorkStatus(id: id, phase: old.phase, subject: old.subject, total: old.total, isInSteps: true)
            status.backup = old.backup
            state.status = status
        }
    }

    private func run(_ job: DeleteJob) throws {
        state.withLock { $0.job = job }
        if job.options.keeping == .everyChunk { update { $0.token = RecoveryToken(uuid: job.id) } }
        try checkStop()
        while job.current.phase != .finished {
            let now = try job.step()
            update { ($0.done, $0.total) = (now.rowsDone, now.rowsTotal) }
            state.withLock { $0.onStep }()
            guard now.phase != .finished else { break }
            // Others who want to write get their turn.
            Thread.sleep(forTimeInterval: job.options.pauseMilliseconds / 1000)
        }
        update { $0.phase = .deleted }
    }

    // MARK: Bringing back

    /// The last step first; none where one of them cannot be.
    private func restoreSteps(of token: RecoveryToken, _ store: SQLiteStore) throws {
        let kept = try KeptSelection(store.keptDeletes()).group(token.description)
        let conflicts = try store.conflicts(restoring: kept.inOrderOfRestoring.map(\.token))
        guard conflicts.isEmpty else { throw RecoveryError.conflicts(conflicts) }
        update { ($0.done, $0.total) = (0, kept.rowCount) }
        for delete in kept.inOrderOfRestoring {
            let result = try store.restore(delete.token, .strict, author: options.author)
            update { $0.done += result.restored.count }
        }
    }
}
