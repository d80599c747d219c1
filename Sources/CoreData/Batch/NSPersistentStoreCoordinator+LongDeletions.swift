import Foundation
import SQLiteStore

/// A long batch delete that waits to be resumed or dropped.
public struct UnfinishedBatchDeletion: Sendable, Hashable, Identifiable {
    public let id: UUID
    public let started: Date
    /// The transaction author of the context that started it.
    public let author: String?
    /// Rows gone for good.
    public let done: Int
    /// Rows in all, as far as was known.
    public let total: Int

    init(_ record: DeleteJobRecord) {
        id = record.id
        started = record.created
        author = record.author
        done = record.rowsDone
        total = record.rowsTotal
    }
}

extension NSPersistentStoreCoordinator {
    /// Long batch deletes that were started, here or in another process, and neither finished nor dropped.
    /// - Throws: `CocoaError` for what reading the stores throws.
    public func unfinishedDeletions() throws -> [UnfinishedBatchDeletion] {
        try whileDeleting { try sqliteStores.flatMap { try $0.jobs() } }.map(UnfinishedBatchDeletion.init)
    }

    /// Goes on with a long batch delete that was stopped, or whose process ended.
    /// - Throws: `CocoaError` 134070 for an identifier that no store has; 1600, 1580 or 134050 when others have put something
    ///   in its way meanwhile; 640 where the disk has not room enough.
    public func resumeDeletion(_ id: UUID) throws -> LongBatchDeletion {
        let announcer = ChunkAnnouncer(core)
        return try whileDeleting {
            LongBatchDeletion(try store(ofDeletion: id).resumeJob(id, observer: announcer), announcer)
        }
    }

    /// Forgets a long batch delete. What it did stays done.
    /// - Throws: `CocoaError` 134070 for an identifier that no store has.
    public func dropDeletion(_ id: UUID) throws {
        try whileDeleting { try store(ofDeletion: id).dropJob(id) }
    }

    private var sqliteStores: [SQLiteStore] { core.store.members.compactMap(\.batches) }

    private func store(ofDeletion id: UUID) throws -> SQLiteStore {
        guard let store = try sqliteStores.store(ofJob: id) else { throw DeleteJobError.unknownJob(id) }
        return store
    }

    private func whileDeleting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw BatchDeleteFailure.error(error)
        }
    }
}
