import Foundation

/// A store's record of a long deletion.
package struct DeleteJobRecord: Sendable, Hashable {
    package let id: UUID
    /// Written to the history of every chunk.
    package let author: String?
    package let created: Date
    package let options: DeleteJobOptions
    package let counts: DeleteRequest.CountRule
    package var rowsDone: Int
    package var rowsTotal: Int
    package var chunkCount: Int

    package init(
        id: UUID, author: String?, created: Date, options: DeleteJobOptions, counts: DeleteRequest.CountRule,
        rowsDone: Int,
        rowsTotal: Int, chunkCount: Int
    ) {
        self.id = id
        self.author = author
        self.created = created
        self.options = options
        self.counts = counts
        self.rowsDone = rowsDone
        self.rowsTotal = rowsTotal
        self.chunkCount = chunkCount
    }
}
