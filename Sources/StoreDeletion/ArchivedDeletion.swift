import Foundation
import ObjectGraph

/// A deletion whose rows are archived in the stores' files. Each chunk of a long deletion is one by itself.
public struct ArchivedDeletion: Sendable, Hashable {
    public let token: DeletionToken
    /// When it was carried out.
    public let date: Date
    public let author: String?
    /// Entities, relationships and numbers of rows; no values.
    public let summary: String
    /// Rows that can be restored.
    public let count: Int
    /// About what the archive takes in the stores' files and beside them.
    public let byteCount: Int64

    init(_ kept: KeptDelete) {
        token = DeletionToken(kept.token)
        date = kept.date
        author = kept.author
        summary = kept.summary
        count = kept.rowCount
        byteCount = kept.byteCount
    }
}

/// What restoring a deletion did.
public struct RestoredDeletion: Sendable {
    private var rows = RowSet()
    private var linkedRows = RowSet()
    /// What was left out, one line each. It stays archived.
    public private(set) var skipped: [String] = []

    init() {}

    mutating func append(_ result: RestoreResult) {
        rows.formUnion(result.restored)
        linkedRows.formUnion(result.updated)
        skipped += result.skipped.map(\.description)
    }

    /// The number of rows that are back.
    public var count: Int { rows.count }
    /// Rows that are back.
    /// - Complexity: Identifiers are made as they are asked for.
    public var restored: some Sequence<RowIdentifier> { rows.rowIdentifiers }
    /// Rows that stayed and have their links again.
    /// - Complexity: Identifiers are made as they are asked for.
    public var relinked: some Sequence<RowIdentifier> { linkedRows.rowIdentifiers }
}
