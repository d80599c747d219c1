import ObjectGraph
import SQLiteStore
import StoreInspection

/// Texts that tell rows apart, for those that are still there and have one.
struct RowLabels: Sendable {
    private let labels: [ObjectID: String]

    init(_ ids: [ObjectID], _ store: SQLiteStore) throws {
        let rows = try store.reading { try Parts.rows(ids, $0) }
        labels = rows.compactMapValues { RowLabel.text(of: $0, in: store.model) }
    }

    subscript(id: ObjectID) -> String? { labels[id] }
}
