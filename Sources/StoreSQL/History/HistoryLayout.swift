import Foundation
import ObjectGraph

/// The format of a file's history tables, and the representation of its entities in them. Made once per store.
package struct HistoryLayout: Sendable {
    package let map: StorageMap
    /// Whether texts are interned in a table of their own, as in all but the oldest files.
    package let hasTexts: Bool
    package let changedColumns: PerEntity<ChangedColumns>
    /// For each entity, the attributes whose values are preserved on deletion, in the order of the tombstone columns.
    package let preservedAttributes: PerEntity<[EntityAttribute]>
    /// For each entity with preserved attributes, how their values are copied into the history row.
    package let tombstones: PerEntity<Tombstones?>

    /// The preserved columns of one entity, and the tombstone columns.
    package struct Tombstones: Sendable {
        /// The tombstone columns: `, ZTOMBSTONE0, …`.
        package let names: String
        /// `nil` for attributes without a column.
        package let columns: [String?]
        package let table: String

        /// - Returns: `nil` for an entity without preserved attributes.
        init?(kept: [EntityAttribute], _ storage: EntityStorage) {
            guard !kept.isEmpty else { return nil }
            let columns = kept.map { $0.slots.first.flatMap { storage.columns[$0]?.name } }
            names = columns.indices.map { ", " + HistoryTables.Change.tombstone($0) }.joined()
            self.columns = columns
            table = storage.table
        }
    }

    /// The kinds by their numbers in the file.
    package enum ChangeKind: Int64, CaseIterable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    /// - Returns: `nil` for a file without history.
    package init?(map: StorageMap, tables: FileTables) {
        guard tables.hasHistory else { return nil }
        self.map = map
        hasTexts = tables.table(HistoryTables.Text.table) != nil
        let model = map.model
        let count = tables.tombstoneCount
        changedColumns = PerEntity(model) { ChangedColumns(entity: $0, model: model) }
        let preservedAttributes = PerEntity(model) { entity in
            let kept = entity.attributes.filter { $0.attribute.preservesValueOnDeletion }
            return Array(kept.sorted { $0.name.precedesByBytes($1.name) }.prefix(count))
        }
        self.preservedAttributes = preservedAttributes
        tombstones = PerEntity(model) { Tombstones(kept: preservedAttributes[$0.index], map.entities[$0.index]) }
    }

    package static let names = Dictionary(
        HistoryTables.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
}
