import Foundation
import ObjectGraph

/// One deletion, archived for a restore: the store before it, and what it removed and was not restored yet.
struct ArchivedContents: Sendable {
    let token: RecoveryToken
    let date = Date()
    let author: String?
    let summary: String
    let before: Rows
    /// The deleted rows.
    var rows: RowSet
    /// The removed links of many-to-many relationships.
    var joins: Set<Link>
    /// Links of survivors, and of rows that were restored without them.
    var links: [ArchivedLinks]

    var archivedDelete: ArchivedDelete {
        let linkCount =
            joins.count(where: before.isFirstEnd) + links.filter(\.isReference).reduce(0) { $0 + $1.rows.count }
        let bytes = rows.ids.compactMap(before.snapshot).reduce(0) { $0 + 24 + $1.values.byteCount }
        return ArchivedDelete(
            token: token, date: date, author: author, summary: summary, rowCount: rows.count, linkCount: linkCount,
            byteCount: Int64(bytes + 24 * linkCount))
    }
}

/// Rows whose links along one relationship a deletion removed.
struct ArchivedLinks: Sendable {
    let relationship: EntityRelationship
    var rows: RowSet
    let before: Rows

    /// Whether the rows lost references. Otherwise, they lost members.
    var isReference: Bool { before.isReference(relationship) }

    /// Returns what a row referred to.
    func reference(of id: ObjectID) -> ObjectID? {
        before.name(of: id).flatMap { before[$0] }.flatMap { before.reference(relationship, of: $0) }
    }
}
