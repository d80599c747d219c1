import Dispatch
import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// The one delete, edit or restore that may be running. It runs on its own thread and reports its progress here.
final class StoreOperation: Sendable {
    let source: StoreSource
    let options: BrowserOptions
    private let plans: ShownPlans
    let edits: ShownEdits
    private let queue = DispatchQueue(label: "OpenSwiftData.StoreBrowser.Work")
    private let state = Locked(State())

    private struct State {
        var status: OperationStatus? {
            didSet { watchers.notify(status) }
        }
        var watchers = OperationObservers()
        var job: DeleteJob?
        /// Unfinished deletes of other processes, shown when there is nothing else to show.
        var waiting: [StoppedDelete] = []
        /// Whether the program is about to exit.
        var isEnding = false
        /// Whether the stop button was pressed.
        var isStopping = false
        var onStep: @Sendable () -> Void = {}
        var onStepBack: @Sendable () -> Void = {}
        var onPiece: @Sendable () -> Void = {}

        mutating func showNextWaiting() {
            status = waiting.isEmpty ? nil : OperationStatus(waiting.removeFirst())
        }
    }

    init(_ source: StoreSource, _ options: BrowserOptions, _ plans: ShownPlans, _ edits: ShownEdits) {
        self.source = source
        self.options = options
        self.plans = plans
        self.edits = edits
    }

    var status: OperationStatus? { state.withLock { $0.status } }

    /// The current state, and its changes until the operation is over.
    func states() -> AsyncStream<OperationStatus> {
        let (stream, continuation) = AsyncStream<OperationStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in state.watchers.add(continuation, now: state.status) }
        return stream
    }

    /// Ends all status streams, so that connections can be closed.
    func endStreams() { state.withLock { $0.watchers.end() } }

    /// Sets a closure to run after each step of a delete, on the operation's thread.
    func afterEachStep(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onStep = body } }

    /// Sets a closure to run after each restored step, on the operation's thread.
    func afterEachStepBack(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onStepBack = body } }

    func notifyOfStepBack() { state.withLock { $0.onStepBack }() }

    /// Sets a closure to run after each chunk of a backup, on the operation's thread.
    func afterEachPiece(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onPiece = body } }

    /// Offers the unfinished deletes of an earlier run or of another program, one after the other.
    func offerUnfinished(_ stopped: [StoppedDelete]) {
        state.withLock { state in
            state.waiting += stopped
            if state.status == nil { state.showNextWaiting() }
        }
    }

    // MARK: Actions of pages

    /// Carries out a plan that was shown. If it fails without changing anything, and the store still is as planned for,
    /// the plan can be confirmed again.
    /// - Throws: `Problem`.
    func delete(_ id: UUID) throws {
        guard let shown = plans.take(id) else {
            // The button was pressed again, perhaps in another tab.
            if let now = status, now.begun == id, now.isUnderWay || now.phase == .deleted { return }
            throw Problem.planForgotten
        }
        var status = OperationStatus(
            id: UUID(), phase: .deleting, subject: shown.subject, total: shown.plan.deleted.count)
        (status.begun, status.parameters) = (id, shown.parameters)
        do {
            try begin(status) { operation in
                do {
                    try operation.execute(shown)
                } catch  where operation.status?.job == nil && !(error is DeleteError) {
                    operation.plans.remember(shown)
                    operation.update { $0.plan = shown.id }
                    throw error
                }
            }
        } catch {
            plans.remember(shown)
            throw error
        }
    }

    /// Stops after the current step; finished steps remain.
    func stop() {
        state.withLock { state -> DeleteJob? in
            guard let status = state.status, status.mayStop else { return nil }
            state.isStopping = true
            if status.phase != .copying { state.status?.phase = .stopping }
            return state.job
        }?.cancel(.afterChunk)
    }

    /// Checks that the page refers to the current operation, not to an earlier one.
    private func check(_ id: UUID?) throws {
        if let id, let now = status, now.id != id { throw Problem.over }
    }

    /// Resumes a stopped delete. Does nothing if it is running again or finished.
    /// - Throws: `Problem`.
    func resume(_ id: UUID?) throws {
        try check(id)
        guard let before = status, before.mayResume, let job = before.job else {
            if let now = status, !now.isRestore, [.deleting, .stopping, .deleted].contains(now.phase) { return }
            throw Problem.over
        }
        var status = before
        (status.phase, status.problem, status.obstacles, status.gone) = (.deleting, nil, nil, nil)
        try begin(status, replacing: before) { operation in
            let store = try operation.opened()
            try operation.run(try store.resumeJob(job))
        }
    }

    /// Undoes the last delete, or the rest of it. Does nothing if that is running or done.
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
        // A stopped delete did not delete all of its subject.
        let rest = before.isRestore ? max(0, before.total - before.done) : before.done
        let rows = Amounts.count(rest, "row")
        let subject =
            before.phase == .deleted ? before.subject : before.isRestore ? rows : "\(rows) of \(before.subject)"
        var status = OperationStatus(id: before.id, phase: .restoring, subject: subject, total: rest)
        (status.job, status.token, status.isRestore) = (before.job, token, true)
        try begin(status, replacing: before) { try $0.restore(token) }
    }

    /// - Parameter token: identifies an archived deletion, or all steps of one.
    /// - Throws: `Problem`.
    func restore(_ token: RecoveryToken, _ subject: String) throws {
        var status = OperationStatus(id: UUID(), phase: .restoring, subject: subject, total: 0)
        (status.token, status.isRestore) = (token, true)
        try begin(status) { try $0.restore(token) }
    }

    /// Discards an archived deletion: its rows cannot be restored afterwards.
    /// - Parameter delete: an archived deletion.
    /// - Throws: `Problem`.
    func discard(_ delete: ArchivedDeletionGroup) throws {
        let status = OperationStatus(
            id: UUID(), phase: .forgetting, subject: delete.subject, total: delete.rowCount)
        try begin(status) { operation in
            // Discards all steps at once.
            let gone = try operation.opened().purge(.token(delete.token))
            operation.update { ($0.done, $0.phase) = (gone.map(\.rowCount).saturatingSum(), .forgotten) }
        }
    }

    /// Dismisses the last operation and leaves its changes as they are. A stopped delete can then not be resumed; this
    /// is written to the file as an operation of its own. Does nothing if no operation is shown.
    /// - Throws: `Problem`.
    func dismiss(_ id: UUID?) throws {
        let dismissed = try state.withLock { state -> OperationStatus? in
            guard let status = state.status, id == nil || id == status.id else { return nil }
            guard !status.isUnderWay else { throw Problem.busy }
            if !status.isUnfinished { state.showNextWaiting() }
            return status
        }
        guard let dismissed, let job = dismissed.job else { return }
        var status = dismissed
        (status.phase, status.problem, status.obstacles) = (.dropping, nil, nil)
        try begin(status, replacing: dismissed) { operation in
            try operation.drop(job)
            operation.update { $0.phase = .dropped }
        }
    }

    /// Stops the current operation and begins no other one.
    func stopForGood() {
        state.withLock { state in
            (state.isEnding, state.isStopping) = (true, true)
            return state.job
        }?.cancel(.afterChunk)
    }

    /// Waits for the current operation.
    func waitUntilFinished() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    // MARK: Running

    /// - Parameter before: the operation to continue, which may have been dismissed meanwhile. Its status is shown
    ///   again if the new operation changes nothing.
    func begin(
        _ status: OperationStatus, replacing before: OperationStatus? = nil,
        _ body: @escaping @Sendable (StoreOperation) throws -> Void
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

    func update(_ body: (inout OperationStatus) -> Void) {
        state.withLock { state in
            guard var status = state.status else { return }
            body(&status)
            state.status = status
        }
    }

    func checkStop() throws {
        if state.withLock({ $0.isStopping }) { throw CancellationError() }
    }

    /// Opens the file for writing until the operation is over, after a backup the first time.
    func opened() throws -> SQLiteStore {
        guard let asked = status else { throw CancellationError() }
        // During the backup, the progress counts bytes.
        defer { update { ($0.phase, $0.done, $0.total) = (asked.phase, asked.done, asked.total) } }
        if source.wantsBackup { reportCopying(0, 0) }
        let store = try source.beginWriting { done, total in
            try checkStop()
            reportCopying(done, total)
        }
        update { $0.backup = source.backup }
        try checkStop()
        return store
    }

    private func reportCopying(_ done: Int64, _ total: Int64) {
        update { ($0.phase, $0.done, $0.total) = (.copying, Int(done), Int(total)) }
        state.withLock { $0.onPiece }()
    }

    /// Runs a delete in steps until it is finished or stopped.
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
            // Lets other processes write between steps.
            Thread.sleep(forTimeInterval: job.options.pauseMilliseconds / 1000)
        }
        update { ($0.phase, $0.job) = (.deleted, nil) }
    }
}
