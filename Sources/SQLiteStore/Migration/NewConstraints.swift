import ObjectGraph
import StoreSQL

/// New uniqueness constraints of the destination that an index does not enforce completely (`Uniqueness`, 3). Violations
/// of existing constraints are allowed, so only new ones are checked.
struct NewConstraints {
    let source: MigrationSource

    private var destination: Model { source.mapping.destination }

    /// Checks for the tables at the end of the migration.
    var all: [MigrationCheck] {
        let map = StorageMap(source.layout)
        var found: [String: MigrationCheck] = [:]
        for mapping in source.mapping.entities.compactMap({ $0 }) {
            let storage = map.entities[mapping.destinationIndex]
            for uniqueness in storage.uniqueness
            where uniqueness.missesEqualNulls && !isFormer(uniqueness, storage, mapping) {
                let text = EqualRows(table: storage.table, uniqueness: uniqueness, dialect: SQLiteDialect()).anywhere
                found[text.description] = MigrationCheck(text: text, error: error(uniqueness, storage, mapping))
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    private func slots(of columns: [String], _ storage: EntityStorage) -> [Int] {
        columns.compactMap { name in storage.columns.firstIndex { $0?.name == name } }
    }

    /// Whether the source has the same constraint for the properties that the values come from.
    private func isFormer(_ uniqueness: Uniqueness, _ storage: EntityStorage, _ mapping: EntityMapping) -> Bool {
        let former = source.map.entities[mapping.sourceIndex]
        let columns = slots(of: uniqueness.columns, storage).map { slot in
            origin(ofSlot: slot, mapping).flatMap { former.columns.element($0) ?? nil }?.name
        }
        return former.uniqueness.contains { Set($0.columns) == Set(columns) && $0.columns.count == columns.count }
    }

    private func origin(ofSlot slot: Int, _ mapping: EntityMapping) -> Int? {
        guard case .toOne(let index)? = destination[mapping.destinationIndex].slots.element(slot) else {
            return mapping.slotOrigins.element(slot) ?? nil
        }
        guard let former = mapping.relationshipOrigins.element(index) ?? nil else { return nil }
        return source.mapping.source[mapping.sourceIndex].relationships.element(former)?.slot
    }

    private func error(
        _ uniqueness: Uniqueness, _ storage: EntityStorage, _ mapping: EntityMapping
    ) -> StoreMigrationError {
        let entity = destination[mapping.destinationIndex]
        let properties = uniqueness.parts.compactMap { part -> String? in
            let name = slots(of: part.columns, storage).first.map(entity.propertyName)
            // If there are several columns, they are those of a whole composite.
            return part.columns.count > 1 ? name?.split(separator: ".").first.map(String.init) : name
        }
        return .notUnique(entity: entity.name, properties: properties)
    }
}
