import Foundation
import ObjectGraph

/// The rows and links that one deletion removed, kept for a restore.
struct ArchivedContents: Sendable {
    let token: RecoveryToken
    let date = Date()
    let author: String?
    let summary: String
    /// The deleted rows in their former state.
    var rows: [RowName: Row] = [:]
    /// The removed links of many-to-many relationships.
    var joins: [Join: JoinPlaces] = [:]
    /// Former links of survivors, and of rows that were restored without them.
    var links: [ArchivedLink] = []
    /// References of the rows that were inconsistent before the deletion already; a restore keeps them so.
    var unsound: Set<ArchivedReference> = []

    var archivedDelete: ArchivedDelete {
        let linkCount = joins.count + links.count { $0.reference.target != nil }
        let bytes = rows.values.reduce(0) { $0 + $1.values.reduce(24) { $0 + $1.byteCount } }
        return ArchivedDelete(
            token: token, date: date, author: author, summary: summary, rowCount: rows.count, linkCount: linkCount,
            byteCount: Int64(bytes + 24 * linkCount))
    }
}

/// A relationship of a survivor before the deletion.
struct ArchivedLink: Sendable {
    let entityIndex: Int
    let reference: ArchivedReference
    /// The position in the list of the row that the reference referred to.
    let place: Int64?
}

struct ArchivedReference: Sendable, Hashable {
    let row: RowName
    /// The relationship in its declaring entity.
    let relationship: RelationshipPlace
    /// `nil` for a to-many relationship, whose members are restored with their own references.
    let target: ObjectID?
}

extension Value {
    /// Eight for a number, otherwise the size of a text or of bytes.
    fileprivate var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        default: 8
        }
    }
}
