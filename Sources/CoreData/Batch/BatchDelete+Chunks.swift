import Foundation
import ObjectGraph
import SQLiteStore

extension BatchDelete {
    /// Starts the delete in chunks, of whatever matches now.
    func start(_ options: BatchDeletionOptions) throws -> LongBatchDeletion {
        let shares = try shares()
        if shares.count < 2 { return try start(options, shares.first, expecting: nil) }
        let concerned = zip(shares, try plan(shares)).filter { !$1.isEmpty }
        return try start(options, only(concerned)?.0, expecting: nil)
    }

    /// Starts exactly what plans say, one for each share.
    func start(
        _ options: BatchDeletionOptions, _ shares: [Share], _ plans: [DeletePlan]
    ) throws -> LongBatchDeletion {
        try refuse(plans)
        let share = try only(zip(shares, plans).filter { !$1.isEmpty })
        return try start(options, share?.0, expecting: share?.1)
    }

    /// A chunk is a transaction of one store.
    private func only(_ shares: [(Share, DeletePlan)]) throws -> (Share, DeletePlan)? {
        guard shares.count < 2 else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "The rows are in several stores; set affectedStores, and delete those of one after the other.")
        }
        return shares.first
    }

    private func start(
        _ options: BatchDeletionOptions, _ share: Share?, expecting plan: DeletePlan?
    ) throws -> LongBatchDeletion {
        let store = try share?.member.writable(for: request, undone: "deleted") ?? anyStore()
        let deletion = share?.request ?? DeleteRequest(.rows(RowSet()))
        let announcer = ChunkAnnouncer(core, request.mergesIntoLiveContexts ? .liveContexts : .listeners)
        do {
            let options = options.jobOptions(request.isRecoverable ? .everyChunk : .none)
            let job = try store.startJob(deletion, options, observer: announcer, expecting: plan)
            return LongBatchDeletion(job, announcer)
        } catch {
            throw BatchDeleteFailure.error(error)
        }
    }

    /// To delete nothing from.
    private func anyStore() throws -> SQLiteStore {
        guard let store = core.store.members.lazy.compactMap(\.batches).first else {
            throw CocoaError(.persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)")
        }
        return store
    }
}

extension NSManagedObjectContext {
    /// Starts a batch delete that is carried out in chunks, each of which costs no more than the options allow. From here on
    /// it can be resumed by its identifier; nothing is deleted yet.
    ///
    /// The request's own options hold: its limit is judged now, over the whole delete, the others with each chunk. Its
    /// `progress` is not used, as what is started has one.
    /// - Throws: As `execute(_:)`; `CocoaError` 134070 for rows of several stores, `CocoaError.fileWriteOutOfSpace` (640)
    ///   where the disk has not room enough for what a chunk writes.
    public func startDeletion(
        _ request: NSBatchDeleteRequest, options: BatchDeletionOptions = BatchDeletionOptions()
    ) throws -> LongBatchDeletion {
        try requireCoordinator()
        return try BatchDelete(request.copy() as? NSBatchDeleteRequest ?? request, self).start(options)
    }
}
