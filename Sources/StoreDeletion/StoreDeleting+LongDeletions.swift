import Foundation
import ObjectGraph

extension StoreDeleting {
    /// Long deletions that were started, here or in another process, and neither finished nor abandoned.
    /// - Throws: What reading the stores throws.
    /// - Complexity: One statement for each store.
    public func unfinishedDeletions() throws -> [UnfinishedDeletion] {
        try host.mappingErrors { try host.chunkingStores.flatMap { try $0.jobs() }.map(UnfinishedDeletion.init) }
    }

    /// Continues a long deletion that was stopped, or whose process ended. What is left of its rows is planned again.
    /// - Throws: `DeletionError`: `unknownDeletion` (134070) for an identifier that no store has; `otherModel` (134070) after a
    ///   migration; `refused` (1600, 1570 or 1580; 1560 for several) when a delete rule forbids it now; `notEnoughDisk` (640);
    ///   `readOnly` (513).
    /// - Complexity: As making a plan.
    public func resumeDeletion(_ id: UUID) throws -> LongDeletion {
        let host = host
        let announcer = ChunkAnnouncer(host, host.audienceOfResumedDeletions)
        return try host.mappingErrors {
            LongDeletion(try store(ofDeletion: id).resumeJob(id, observer: announcer), announcer, host)
        }
    }

    /// Gives up resuming a long deletion. What it deleted stays deleted, and what it archived stays archived.
    /// - Throws: `DeletionError.unknownDeletion` (134070) for an identifier that no store has, `.readOnly` (513).
    public func abandonDeletion(_ id: UUID) throws {
        try host.mappingErrors { try store(ofDeletion: id).dropJob(id) }
    }

    private func store(ofDeletion id: UUID) throws -> any ChunkedDeleting {
        guard let store = try host.chunkingStores.first(where: { try $0.jobs().contains { $0.id == id } }) else {
            throw DeletionError.unknownDeletion(id)
        }
        return store
    }
}
