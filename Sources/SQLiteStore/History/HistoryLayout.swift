import Foundation
import ObjectGraph

/// What the history tables of a file look like, and how its entities appear in them. Made once per store.
struct HistoryLayout: Sendable {
    let map: StorageMap
    /// Whether texts are interned in a table of their own (all but the oldest files).
    let hasTexts: Bool
    let changedColumns: PerEntity<ChangedColumns>
    /// For each entity: the attributes whose values are kept on deletion, in the order of the tombstone columns.
    let keptAttributes: PerEntity<[EntityAttribute]>
    /// For each entity that keeps values on deletion: how they get into the row that tells of it.
    let tombstones: PerEntity<Tombstones?>

    /// The columns of one entity that are kept, and those they are kept in, as they stand at the end of a list.
    struct Tombstones: Sendable {
        let names: String
        let columns: String
        let table: String

        /// - Returns: `nil` for an entity that keeps nothing.
        init?(kept: [EntityAttribute], _ storage: EntityStorage) {
            guard !kept.isEmpty else { return nil }
            let columns = kept.map { $0.slots.first.flatMap { storage.columns[$0]?.name } ?? "NULL" }
            names = columns.indices.map { ", " + HistoryTables.Change.tombstone($0) }.joined()
            self.columns = columns.map { ", " + $0 }.joined()
            table = storage.table
        }
    }

    /// As the files number them.
    enum ChangeKind: Int64, CaseIterable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    /// - Returns: `nil` for a file without history.
    init?(map: StorageMap, tables: FileTables) {
        guard tables.hasHistory else { return nil }
        self.map = map
        hasTexts = tables.table(HistoryTables.Text.table) != nil
        let model = map.model
        let count = tables.tombstoneCount
        changedColumns = PerEntity(model) { ChangedColumns(entity: $0, model: model) }
        let keptAttributes = PerEntity(model) { entity in
            let kept = entity.attributes.filter { $0.attribute.preservesValueOnDeletion }
            return Array(kept.sorted { $0.name.precedesByBytes($1.name) }.prefix(count))
        }
        self.keptAttributes = keptAttributes
        tombstones = PerEntity(model) { Tombstones(kept: keptAttributes[$0.index], map.entities[$0.index]) }
    }

    static let names = Dictionary(
        HistoryTables.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
}
