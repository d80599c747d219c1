import ObjectGraph
import SQLiteStore
import StoreInspection

/// Labels of rows, for the rows that exist and have one.
struct NamedRows: Sendable {
    private let labels: [ObjectID: String]
    private let present: Set<ObjectID>

    /// Creates a value without rows.
    init() { (labels, present) = ([:], []) }

    init(_ ids: [ObjectID], _ store: SQLiteStore) throws {
        let (rows, texts) = try store.reading { reading in
            let rows = try Parts.rows(ids, reading.markingUnreadable().limited(toFilesOf: []))
            return (rows, try RowLabels(store.model, reading).labels(of: Array(rows.values)))
        }
        present = Set(rows.keys)
        labels = rows.compactMapValues { texts[$0.id] }
    }

    func exists(_ id: ObjectID) -> Bool { present.contains(id) }

    subscript(id: ObjectID) -> String? { labels[id] }
}
