import Foundation
import ObjectGraph

/// A long deletion that was started, and neither finished nor abandoned.
public struct UnfinishedDeletion: Sendable, Hashable, Identifiable {
    /// The identifier by which the deletion is resumed or abandoned.
    public let id: UUID
    /// The time at which the deletion was started.
    public let started: Date
    /// The author of the context that planned the deletion.
    public let author: String?
    /// The number of rows that are deleted.
    public let done: Int
    /// The total number of rows, as far as it was known when the deletion last ran.
    public let total: Int

    init(_ record: DeleteJobRecord) {
        id = record.id
        started = record.created
        author = record.author
        done = record.rowsDone
        total = record.rowsTotal
    }
}
