import Foundation

/// An archived deletion, as listed by a store.
package struct ArchivedDelete: Sendable, Hashable {
    package let token: RecoveryToken
    /// The date of the deletion.
    package let date: Date
    package let author: String?
    /// The entities, relationships and numbers of rows; without values.
    package let summary: String
    /// The number of rows that can still be restored.
    package var rowCount: Int
    /// The number of links that can still be restored: references of survivors, and join rows.
    package var linkCount: Int
    /// The approximate size of the archive: the bytes of values and of external files.
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

/// Selects archived deletions to discard.
package enum PurgeRule: Sendable, Hashable {
    case token(RecoveryToken)
    /// Those executed before the date.
    case olderThan(Date)
    /// The oldest ones, until the archive has at most this size.
    case downTo(byteCount: Int64)
    case everything
}
