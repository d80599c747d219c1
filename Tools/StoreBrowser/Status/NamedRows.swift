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
            let rows = try Self.rows(ids, reading.markingUnreadable().limited(toFilesOf: []))
            return (rows, try RowLabels(store.model, reading).labels(of: Array(rows.values)))
        }
        present = Set(rows.keys)
        labels = rows.compactMapValues { texts[$0.id] }
    }

    /// Returns rows keyed by the requested object IDs, which may name a superentity of the row's own entity.
    static func rows(_ ids: [ObjectID], _ reading: StoreReading) throws -> [ObjectID: Snapshot] {
        var found: [ObjectID: Snapshot] = [:]
        for (space, ids) in Dictionary(grouping: Set(ids), by: \.space) {
            for row in try reading.snapshots(of: ids) { found[ObjectID(space: space, key: row.id.key)] = row }
        }
        return found
    }

    func exists(_ id: ObjectID) -> Bool { present.contains(id) }

    subscript(id: ObjectID) -> String? { labels[id] }
}
