import Foundation
import SwiftData

/// The single long task: loading generated animals, deleting many, or restoring them.
///
/// It runs outside the main actor and reports its progress here, so that pages are served meanwhile.
@MainActor
final class LongWork {
    let container: ModelContainer
    /// Called when pages show another status, a few times a second at most. Observers follow the numbers beside it.
    var onChange: () -> Void = {}
    private(set) var status: WorkStatus?
    private let mostPerStep: Int
    private var deletion: LongDeletion?
    private var task: Task<Void, Never>?
    private var lastReport = ContinuousClock.now
    private static let betweenReports = Duration.milliseconds(400)

    /// - Parameter mostPerStep: The maximum number of models that a delete deletes in one step.
    init(container: ModelContainer, mostPerStep: Int) {
        self.container = container
        self.mostPerStep = mostPerStep
    }

    var isUnderWay: Bool { status?.isUnderWay ?? false }
    /// Whether models are being deleted or restored, so that nothing else can be restored.
    var isMovingModels: Bool { isUnderWay && status?.phase != .loading }

    /// Finds an unfinished delete of an earlier launch.
    func findUnfinished() throws {
        guard status == nil, let left = try container.unfinishedDeletions().first else { return }
        status = WorkStatus(
            id: left.id, kind: .deleting("animals"), phase: .stopped, done: left.done, total: left.total,
            isLeftOver: true)
    }

    /// Ends the running task in an orderly way before the app exits. The next launch can resume a delete.
    func end() async {
        deletion?.cancel()
        if status?.phase == .loading { task?.cancel() }
        await task?.value
    }

    // MARK: Loading

    /// - Parameter counts: The present numbers, from which progress is measured.
    /// - Throws: `ZooProblem.busy`.
    func load(_ count: Int, from counts: AnimalCounts) throws {
        try begin(WorkStatus(id: UUID(), kind: .loading, phase: .loading, done: 0, total: count), counts)
        task = Task.detached(priority: .utility) { [container] in
            do {
                try await self.load(count, container)
                await self.over()
            } catch is CancellationError {
                await self.over()
            } catch {
                await self.loadingFailed(String(describing: error))
            }
        }
    }

    private nonisolated func load(_ count: Int, _ container: ModelContainer) async throws {
        let context = ModelContext(container)
        try BigSample.insertCategories(into: context)
        try context.save()
        for first in stride(from: 0, to: count, by: BigSample.batchSize) {
            try Task.checkCancellation()
            let numbers = first..<min(count, first + BigSample.batchSize)
            // Uses a new context for each batch, so that earlier batches do not stay in memory.
            let context = ModelContext(container)
            try BigSample.insert(numbers, into: context)
            try context.save()
            await note(done: numbers.upperBound, total: count)
        }
    }

    private func loadingFailed(_ problem: String) {
        guard var status else { return }
        (status.phase, status.problem) = (.loadingFailed, problem)
        set(status)
    }

    // MARK: Deleting

    /// Deletes the plan's models in chunks, and reports each chunk.
    /// - Parameters:
    ///   - subject: The text after "Deleting", such as "all animals".
    ///   - counts: The present numbers, from which progress is measured.
    /// - Throws: `ZooProblem.busy`, and errors of starting a long delete.
    func delete(_ plan: DeletionPlan, _ subject: String, from counts: AnimalCounts) throws {
        guard !isUnderWay else { throw ZooProblem.busy }
        var options = DeletionOptions()
        options.archivesRows = true
        // Small chunks keep the progress bar moving and let the user stop soon.
        options.rowsPerChunk = min(mostPerStep, max(20, plan.count / 50))
        options.lockMilliseconds = 50
        let deletion = try plan.start(options: options)
        try begin(
            WorkStatus(id: deletion.id, kind: .deleting(subject), phase: .deleting, done: 0, total: plan.count),
            counts)
        run(deletion)
    }

    /// Resumes a delete that was stopped, or ended with an earlier launch.
    /// - Parameter counts: The present numbers, from which progress is measured.
    /// - Throws: `ZooProblem.workIsOver` if there is none.
    func resume(_ id: UUID, from counts: AnimalCounts) throws {
        guard var status, status.id == id, status.phase == .stopped else { throw ZooProblem.workIsOver }
        let deletion = try resumed(id)
        status.phase = .deleting
        status.problem = nil
        status.start = WorkStatus.Start(status, counts)
        set(status)
        run(deletion)
    }

    private func resumed(_ id: UUID) throws -> LongDeletion {
        do {
            return try container.resumeDeletion(id)
        } catch DeletionError.unknownDeletion {
            throw ZooProblem.workIsOver
        } catch {
            throw ZooProblem.workFailed(String(describing: error))
        }
    }

    private func run(_ deletion: LongDeletion) {
        self.deletion = deletion
        task = Task {
            var problem: String?
            do {
                for try await state in deletion.updates { note(done: state.done, total: state.total) }
            } catch is CancellationError {
                // Stopped. The delete's state has its progress.
            } catch {
                problem = String(describing: error)
            }
            didEnd(deletion, problem)
        }
    }

    private func didEnd(_ deletion: LongDeletion, _ problem: String?) {
        guard var status, status.id == deletion.id else { return }
        let state = deletion.state
        status.phase = state.phase == .finished ? .deleted : .stopped
        (status.done, status.total, status.problem) = (state.done, state.total, problem)
        set(status)
        discardOldDeletions()
    }

    /// Discards archived deletions that are too old or too large, in the background.
    func discardOldDeletions() {
        Task.detached(priority: .utility) { [container] in
            do {
                try Zoo.discardOldDeletions(of: container)
            } catch {
                print("Old deletions could not be discarded: \(error)")
            }
        }
    }

    // MARK: Actions of windows

    /// Stops after the current step; finished steps remain.
    /// - Throws: `ZooProblem.workIsOver`.
    func stop(_ id: UUID) throws {
        guard var status, status.id == id, status.phase == .loading || status.phase == .deleting else {
            throw ZooProblem.workIsOver
        }
        if status.phase == .loading { task?.cancel() } else { deletion?.cancel() }
        status.phase = .stopping
        set(status)
    }

    /// Dismisses a finished task. A stopped delete cannot be resumed afterwards.
    /// - Throws: `ZooProblem.workIsOver`.
    func dismiss(_ id: UUID) throws {
        guard let status, status.id == id, !status.isUnderWay else { throw ZooProblem.workIsOver }
        if status.phase == .stopped { try drop(id) }
        over()
    }

    private func drop(_ id: UUID) throws {
        do {
            try container.abandonDeletion(id)
        } catch DeletionError.unknownDeletion {
            // It was finished or dropped elsewhere, so there is nothing to drop.
        }
    }

    /// Restores the models that a delete has deleted so far.
    /// - Throws: `ZooProblem.workIsOver`, or `.cannotUndo` if nothing is archived.
    func undo(_ id: UUID) throws {
        guard let before = status, before.id == id, before.phase == .stopped || before.phase == .deleted else {
            throw ZooProblem.workIsOver
        }
        let deletion = self.deletion?.id == id ? self.deletion : try resumed(id)
        guard let token = deletion?.token else { throw ZooProblem.cannotUndo }
        var status = before
        status.phase = .restoring
        status.problem = nil
        set(status)
        task = Task.detached(priority: .userInitiated) { [container] in
            do {
                try container.restore(token)
                if before.phase == .stopped { try await self.drop(id) }
                await self.restored()
            } catch {
                await self.restoringFailed(before, error)
            }
        }
    }

    private func restoringFailed(_ before: WorkStatus, _ error: any Error) {
        var status = before
        let problem = (error as? DeletionError).map { ZooProblem(restoring: $0) }
        status.problem = problem?.description ?? String(describing: error)
        set(status)
    }

    private func restored() {
        guard var status else { return }
        deletion = nil
        status.phase = .restored
        set(status)
    }

    // MARK: Reporting

    private func begin(_ status: WorkStatus, _ counts: AnimalCounts) throws {
        guard !isUnderWay else { throw ZooProblem.busy }
        // Another task drops a stopped delete.
        if let old = self.status, old.phase == .stopped { try drop(old.id) }
        deletion = nil
        var status = status
        status.start = WorkStatus.Start(status, counts)
        set(status)
    }

    private func note(done: Int, total: Int) {
        guard var status else { return }
        (status.done, status.total) = (done, total)
        if ContinuousClock.now - lastReport > Self.betweenReports { set(status) } else { self.status = status }
    }

    private func over() {
        deletion = nil
        set(nil)
    }

    private func set(_ status: WorkStatus?) {
        self.status = status
        lastReport = .now
        onChange()
    }
}
