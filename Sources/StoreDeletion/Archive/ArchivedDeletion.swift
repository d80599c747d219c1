import Foundation
import ObjectGraph

/// A deletion whose rows are archived in the stores' files. Each chunk of a long deletion is listed as one of its own.
public struct ArchivedDeletion: Sendable, Hashable {
    /// The token that restores or discards this deletion; for a chunk of a long deletion, only this chunk.
    public let token: DeletionToken
    /// The time at which the deletion was carried out.
    public let date: Date
    /// The author that the deletion has in the history; `nil` where the context had none.
    public let author: String?
    /// The deleted entities, the relationships by which they were reached and numbers of rows, as text without values.
    public let summary: String
    /// The number of rows that can be restored.
    public let count: Int
    /// The approximate size of the archive in bytes, in the stores' files and in files of large values beside them.
    public let byteCount: Int64

    init(_ kept: ArchivedDelete) {
        token = DeletionToken(kept.token)
        date = kept.date
        author = kept.author
        summary = kept.summary
        count = kept.rowCount
        byteCount = kept.byteCount
    }
}

/// The result of restoring an archived deletion.
public struct RestoredDeletion: Sendable {
    private var rows = RowSet()
    private var linkedRows = RowSet()
    /// Descriptions of the rows and links that were left out, one line each. They stay archived.
    public private(set) var skipped: [String] = []

    init() {}

    mutating func append(_ result: SavedRows) {
        rows.formUnion(result.restored)
        linkedRows.formUnion(result.updated)
        skipped += result.skipped.map(\.description)
    }

    /// The number of restored rows.
    public var count: Int { rows.count }
    /// The identifiers of the restored rows.
    /// - Complexity: O(1); the sequence makes each identifier while it is iterated.
    public var restored: some Sequence<RowIdentifier> { rows.rowIdentifiers }
    /// The identifiers of surviving rows whose links were restored.
    /// - Complexity: O(1); the sequence makes each identifier while it is iterated.
    public var relinked: some Sequence<RowIdentifier> { linkedRows.rowIdentifiers }
}
