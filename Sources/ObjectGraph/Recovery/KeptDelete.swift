import Foundation

/// A delete whose rows are kept, as a store lists it.
package struct KeptDelete: Sendable, Hashable {
    package let token: RecoveryToken
    /// When it was done.
    package let date: Date
    package let author: String?
    /// Entities, relationships and numbers of rows; no values.
    package let summary: String
    /// Rows that can still be brought back.
    package var rowCount: Int
    /// Links that can still be brought back: references of survivors, and join rows.
    package var linkCount: Int
    /// About what is kept: the bytes of values, and of files beside the store.
    package var byteCount: Int64

    package init(
        token: RecoveryToken, date: Date, author: String?, summary: String, rowCount: Int, linkCount: Int,
        byteCount: Int64
    ) {
        self.token = token
        self.date = date
        self.author = author
        self.summary = summary
        self.rowCount = rowCount
        self.linkCount = linkCount
        self.byteCount = byteCount
    }
}

/// Which kept deletes to give up for good.
package enum PurgeRule: Sendable, Hashable {
    case token(RecoveryToken)
    /// Those done before.
    case olderThan(Date)
    /// The oldest ones, until what is kept is at most so many bytes.
    case downTo(byteCount: Int64)
    case everything
}
