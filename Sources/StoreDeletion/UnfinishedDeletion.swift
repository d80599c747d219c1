import Foundation
import ObjectGraph

/// A long deletion that was started, and neither finished nor abandoned.
public struct UnfinishedDeletion: Sendable, Hashable, Identifiable {
    /// What it is resumed or abandoned by.
    public let id: UUID
    public let started: Date
    /// The author of the context that planned it.
    public let author: String?
    /// Rows that are deleted.
    public let done: Int
    /// Rows in all, as far as was known when it was last run.
    public let total: Int

    init(_ record: DeleteJobRecord) {
        id = record.id
        started = record.created
        author = record.author
        done = record.rowsDone
        total = record.rowsTotal
    }
}
