import Foundation
import ObjectGraph
import SQLiteStore

extension BatchDelete {
    /// Starts the delete in chunks.
    func start(_ options: BatchDeletionOptions) throws -> LongBatchDeletion {
        let (store, deletion) = try onlyShare()
        let announcer = ChunkAnnouncer(core, request.mergesIntoLiveContexts ? .liveContexts : .listeners)
        let job: DeleteJob
        do {
            let options = options.jobOptions(request.isRecoverable ? .everyChunk : .none)
            job = try store.startJob(deletion, options, observer: announcer)
        } catch {
            throw BatchDeleteFailure.error(error)
        }
        return LongBatchDeletion(job, announcer)
    }

    /// A chunk is a transaction of one store.
    private func onlyShare() throws -> (SQLiteStore, DeleteRequest) {
        var shares = try shares()
        if shares.count > 1 {
            let plans = try plan(shares)
            shares = zip(shares, plans).filter { !$1.isEmpty }.map(\.0)
        }
        guard shares.count < 2 else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "The rows are in several stores; set affectedStores, and delete those of one after the other.")
        }
        if let share = shares.first {
            return (try share.member.writable(for: request, undone: "deleted"), share.request)
        }
        // Nothing is to go, which any store can do.
        guard let store = core.store.members.lazy.compactMap(\.batches).first else {
            throw CocoaError(.persistentStoreUnsupportedRequestType, text: "Unknown command type \(request)")
        }
        return (store, DeleteRequest(.rows(RowSet())))
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
