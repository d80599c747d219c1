import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The one delete, edit or undo that may be under way. Runs on a thread of its own, and tells here how far it is.
final class Work: Sendable {
    let source: StoreSource
    let options: BrowserOptions
    private let plans: ShownPlans
    let edits: ShownEdits
    private let queue = DispatchQueue(label: "OpenSwiftData.StoreBrowser.Work")
    private let state = Locked(State())

    private struct State {
        var status: WorkStatus? {
            didSet { watchers.tell(status) }
        }
        var watchers = WorkWatchers()
        var job: DeleteJob?
        /// Deletes that others did not bring to their end, to be told of when nothing else is.
        var waiting: [StoppedDelete] = []
        /// Whether the program is about to end.
        var isEnding = false
        /// Stop was pressed.
        var isStopping = false
        var onStep: @Sendable () -> Void = {}
        var onStepBack: @Sendable () -> Void = {}
        var onPiece: @Sendable () -> Void = {}

        mutating func tellOfWaiting() {
            status = waiting.isEmpty ? nil : WorkStatus(waiting.removeFirst())
        }
    }

    init(_ source: StoreSource, _ options: BrowserOptions, _ plans: ShownPlans, _ edits: ShownEdits) {
        self.source = source
        self.options = options
        self.plans = plans
        self.edits = edits
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

    /// Has something done after each step that was brought back, on the thread that does so.
    func afterEachStepBack(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onStepBack = body } }

    func tellOfStepBack() { state.withLock { $0.onStepBack }() }

    /// Has something done after each piece of a backup, on the thread that makes it.
    func afterEachPiece(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onPiece = body } }

    /// Takes up deletes that an earlier run, or another program, did not bring to their end, one after the other.
    func takeUp(_ stopped: [StoppedDelete]) {
        state.withLock { state in
            state.waiting += stopped
            if state.status == nil { state.tellOfWaiting() }
        }
    }

    // MARK: What pages ask for

    /// Carries out a plan that was shown. Where nothing could be done, and the store is still as it was planned for, it
    /// can be confirmed again.
    /// - Throws: `Problem`.
    func delete(_ id: UUID) throws {
        guard let shown = plans.take(id) else {
            // Pressed once more, in another tab perhaps.
            if let now = status, now.begun == id, now.isUnderWay || now.phase == .deleted { return }
            throw Problem.planForgotten
        }
        var status = WorkStatus(
            id: UUID(), phase: .deleting, subject: shown.subject, total: shown.plan.deleted.count)
        (status.begun, status.wish) = (id, shown.wish)
        do {
            try begin(status) { work in
                do {
                    try work.carryOut(shown)
                } catch  where work.status?.job == nil && !(error is DeleteError) {
                    work.plans.remember(shown)
                    work.update { $0.plan = shown.id }
                    throw error
                }
            }
        } catch {
            plans.remember(shown)
            throw error
        }
    }

    /// Stops after the step under way; what is done stays done.
    func stop() {
        state.withLock { state -> DeleteJob? in
            guard let status = state.status, status.mayStop else { return nil }
            state.isStopping = true
            if status.phase != .copying { state.status?.phase = .stopping }
            return state.job
        }?.cancel(.afterChunk)
    }

    /// A page may be of work that is over, and other work told of since.
    private func check(_ id: UUID?) throws {
        if let id, let now = status, now.id != id { throw Problem.over }
    }

    /// Goes on with a delete that was stopped. Where it goes on already, or has come to its end, nothing is left to do.
    /// - Throws: `Problem`.
    func resume(_ id: UUID?) throws {
        try check(id)
        guard let before = status, before.mayResume, let job = before.job else {
            if let now = status, !now.isRestore, [.deleting, .stopping, .deleted].contains(now.phase) { return }
            throw Problem.over
        }
        var status = before
        (status.phase, status.problem, status.obstacles, status.gone) = (.deleting, nil, nil, nil)
        try begin(status, replacing: before) { work in
            let store = try work.opened()
            try work.run(try store.resumeJob(job))
        }
    }

    /// Takes back what the last delete did, or what is left of that. Where that is under way, or done, nothing is left to
    /// do.
    /// - Throws: `Problem`.
    func undo(_ id: UUID?) throws {
        try check(id)
        if let before = status, before.mayUndo, let reversal = before.edit?.reversal {
            return try revert(before, reversal)
        }
        guard let before = status, before.mayUndo, let token = before.token else {
            if let now = status, now.phase == .reverting || now.phase == .reverted { return }
            if let now = status, now.isRestore, now.isUnderWay || now.phase == .restored { return }
            throw Problem.over
        }
        // Of a delete that was stopped, its subject has not gone as a whole.
        let rest = before.isRestore ? max(0, before.total - before.done) : before.done
        let rows = Amounts.count(rest, "row")
        let subject =
            before.phase == .deleted ? before.subject : before.isRestore ? rows : "\(rows) of \(before.subject)"
        var status = WorkStatus(id: before.id, phase: .restoring, subject: subject, total: rest)
        (status.job, status.token, status.isRestore) = (before.job, token, true)
        try begin(status, replacing: before) { try $0.restore(token) }
    }

    /// - Parameter token: of a kept delete, or of all steps of one.
    /// - Throws: `Problem`.
    func restore(_ token: RecoveryToken, _ subject: String) throws {
        var status = WorkStatus(id: UUID(), phase: .restoring, subject: subject, total: 0)
        (status.token, status.isRestore) = (token, true)
        try begin(status) { try $0.restore(token) }
    }

    /// Gives up what a delete kept: its rows cannot be brought back any more.
    /// - Parameter delete: one of those that are kept.
    /// - Throws: `Problem`.
    func forget(_ delete: KeptGroup) throws {
        let status = WorkStatus(
            id: UUID(), phase: .forgetting, subject: delete.subject, total: delete.rowCount)
        try begin(status) { work in
            // All steps of it, at once.
            let gone = try work.opened().purge(.token(delete.token))
            work.update { ($0.done, $0.phase) = (gone.map(\.rowCount).saturatingSum(), .forgotten) }
        }
    }

    /// Leaves everything as it is now. A delete that was stopped cannot be resumed any more, which has to be written into
    /// the file first; that is told of like all work. Where nothing is told of, nothing is left to do.
    /// - Throws: `Problem`.
    func dismiss(_ id: UUID?) throws {
        let dismissed = try state.withLock { state -> WorkStatus? in
            guard let status = state.status, id == nil || id == status.id else { return nil }
            guard !status.isUnderWay else { throw Problem.busy }
            if !status.isUnfinished { state.tellOfWaiting() }
            return status
        }
        guard let dismissed, let job = dismissed.job else { return }
        var status = dismissed
        (status.phase, status.problem, status.obstacles) = (.dropping, nil, nil)
        try begin(status, replacing: dismissed) { work in
            try work.drop(job)
            work.update { $0.phase = .dropped }
        }
    }

    /// Stops what is under way, and begins nothing any more.
    func stopForGood() {
        state.withLock { state in
            (state.isEnding, state.isStopping) = (true, true)
            return state.job
        }?.cancel(.afterChunk)
    }

    /// Waits for what is under way.
    func settled() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    // MARK: Running

    /// - Parameter before: the work that is gone on from, which somebody may have dismissed meanwhile. It is told of again
    ///   if nothing comes of this.
    func begin(
        _ status: WorkStatus, replacing before: WorkStatus? = nil, _ body: @escaping @Sendable (Work) throws -> Void
    ) throws {
        try state.withLock { state in
            if let now = state.status, now.isUnderWay { throw Problem.busy }
            if let before {
                guard state.status?.id == before.id else { throw Problem.over }
            } else if state.status?.isUnfinished ?? false {
                throw Problem.unfinished
            }
            guard !state.isEnding else { throw Problem.ending }
            (state.status, state.job, state.isStopping) = (status, nil, false)
        }
        queue.async {
            do {
                try body(self)
            } catch is CancellationError {
                self.update { $0 = $0.ended(before, because: nil) }
            } catch {
                let text = Problem(error).text
                self.update { $0 = $0.ended(before, because: text) }
            }
            self.state.withLock { $0.job = nil }
            self.source.endWriting()
        }
    }

    func update(_ body: (inout WorkStatus) -> Void) {
        state.withLock { state in
            guard var status = state.status else { return }
            body(&status)
            state.status = status
        }
    }

    func checkStop() throws {
        if state.withLock({ $0.isStopping }) { throw CancellationError() }
    }

    /// The file, open for writing until the work is over, after its backup the first time.
    func opened() throws -> SQLiteStore {
        guard let asked = status else { throw CancellationError() }
        // What was counted meanwhile were bytes.
        defer { update { ($0.phase, $0.done, $0.total) = (asked.phase, asked.done, asked.total) } }
        if source.wantsBackup { tellOfCopying(0, 0) }
        let store = try source.beginWriting { done, total in
            try checkStop()
            tellOfCopying(done, total)
        }
        update { $0.backup = source.backup }
        try checkStop()
        return store
    }

    private func tellOfCopying(_ done: Int64, _ total: Int64) {
        update { ($0.phase, $0.done, $0.total) = (.copying, Int(done), Int(total)) }
        state.withLock { $0.onPiece }()
    }

    /// Carries a delete in steps on to its end, or until it is stopped.
    func run(_ job: DeleteJob) throws {
        state.withLock { $0.job = job }
        update { status in
            status.job = job.id
            if job.options.keeping == .everyChunk { status.token = RecoveryToken(uuid: job.id) }
        }
        try checkStop()
        while job.current.phase != .finished {
            let now = try job.step()
            update { ($0.done, $0.total) = (now.rowsDone, now.rowsTotal) }
            state.withLock { $0.onStep }()
            guard now.phase != .finished else { break }
            // Others who want to write get their turn.
            Thread.sleep(forTimeInterval: job.options.pauseMilliseconds / 1000)
        }
        update { ($0.phase, $0.job) = (.deleted, nil) }
    }
}
