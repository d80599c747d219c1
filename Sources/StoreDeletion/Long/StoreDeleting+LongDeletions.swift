import Foundation
import ObjectGraph

extension StoreDeleting {
    /// Returns the long deletions that were started, by this or another process, and neither finished nor abandoned.
    /// - Throws: Errors of reading the stores.
    /// - Complexity: One statement for each store.
    public func unfinishedDeletions() throws -> [UnfinishedDeletion] {
        try host.mappingErrors { try host.chunkingStores.flatMap { try $0.jobs() }.map(UnfinishedDeletion.init) }
    }

    /// Resumes a long deletion that was stopped, or whose process ended. Its remaining rows are planned again.
    /// - Parameter id: the identifier of the long deletion.
    /// - Returns: The long deletion; run it to continue.
    /// - Throws: `DeletionError`: `unknownDeletion` (134070) for an identifier that no store has; `otherModel` (134070) after a
    ///   migration; `damaged` (134070); `refused` (1600, 1570 or 1580; 1560 for several) when a delete rule forbids it;
    ///   `notEnoughDisk` (640); `readOnly` (513).
    /// - Complexity: The cost of making a plan.
    public func resumeDeletion(_ id: UUID) throws -> LongDeletion {
        let host = host
        let announcer = ChunkAnnouncer(host, host.audienceOfResumedDeletions)
        return try host.mappingErrors {
            LongDeletion(try store(ofDeletion: id).resumeJob(id, observer: announcer), announcer, host)
        }
    }

    /// Abandons a long deletion, so that it cannot be resumed. Deleted rows stay deleted, and archived rows stay archived.
    /// - Parameter id: the identifier of the long deletion.
    /// - Throws: `DeletionError.unknownDeletion` (134070) for an identifier that no store has, `.readOnly` (513).
    public func abandonDeletion(_ id: UUID) throws {
        try host.mappingErrors { try store(ofDeletion: id).discardJob(id) }
    }

    private func store(ofDeletion id: UUID) throws -> any ChunkedDeleting {
        guard let store = try host.chunkingStores.first(where: { try $0.jobs().contains { $0.id == id } }) else {
            throw DeletionError.unknownDeletion(id)
        }
        return store
    }
}
