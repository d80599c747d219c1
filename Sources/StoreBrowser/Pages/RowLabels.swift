import ObjectGraph
import SQLiteStore
import StoreInspection

/// Texts that tell rows apart, for those that are still there and have one.
struct RowLabels: Sendable {
    private let labels: [ObjectID: String]
    private let present: Set<ObjectID>

    /// Of no rows.
    init() { (labels, present) = ([:], []) }

    init(_ ids: [ObjectID], _ store: SQLiteStore) throws {
        let rows = try store.reading { try Parts.rows(ids, $0) }
        present = Set(rows.keys)
        labels = rows.compactMapValues { RowLabel.text(of: $0, in: store.model) }
    }

    func exists(_ id: ObjectID) -> Bool { present.contains(id) }

    subscript(id: ObjectID) -> String? { labels[id] }
}
