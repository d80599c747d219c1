import ObjectGraph
import SQLiteStore
import StoreInspection

/// A delete that was begun, but neither finished nor dropped.
struct StoppedDelete: Sendable {
    let job: DeleteJobRecord
    /// The rows deleted so far, if they are archived.
    let gone: String?

    /// All unfinished deletes of a file.
    /// - Throws: errors of reading.
    static func all(_ store: SQLiteStore) throws -> [StoppedDelete] {
        let kept = ArchivedDeletionSelection(try store.archivedDeletes())
        return try store.jobs().map { job in
            StoppedDelete(job: job, gone: try? kept.group(RecoveryToken(uuid: job.id).description).subject)
        }
    }
}
