import StoreSQL

/// The number of inserted, updated and deleted objects of a transaction, by entity.
package struct HistoryCounts: Sendable, Hashable {
    /// Counts by entity name.
    package private(set) var inserted: [String: Int] = [:]
    package private(set) var updated: [String: Int] = [:]
    package private(set) var deleted: [String: Int] = [:]

    package init() {}

    package var total: Int { [inserted, updated, deleted].reduce(0) { $0 + $1.values.reduce(0, +) } }

    mutating func count(_ kind: HistoryLayout.ChangeKind, of entityName: String) {
        switch kind {
        case .insert: inserted[entityName, default: 0] += 1
        case .update: updated[entityName, default: 0] += 1
        case .delete: deleted[entityName, default: 0] += 1
        }
    }
}
