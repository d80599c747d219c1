import ObjectGraph

/// Uniqueness constraints that the destination brings and that an index does not see in full (`Uniqueness`, 3). Rows that broke
/// one before are no worse off, so only new ones are asked for.
struct NewConstraints {
    let source: MigrationSource

    private var destination: Model { source.mapping.destination }

    /// To be asked of the tables as they are at the end.
    var all: [MigrationCheck] {
        let map = StorageMap(source.layout)
        var found: [String: MigrationCheck] = [:]
        for mapping in source.mapping.entities.compactMap({ $0 }) {
            let storage = map.entities[mapping.destinationIndex]
            for uniqueness in storage.uniqueness where uniqueness.isBlind && !isFormer(uniqueness, storage, mapping) {
                let text = EqualRows(table: storage.table, uniqueness: uniqueness).anywhere
                found[text.description] = MigrationCheck(text: text, error: error(uniqueness, storage, mapping))
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    private func slots(of columns: [String], _ storage: EntityStorage) -> [Int] {
        columns.compactMap { name in storage.columns.firstIndex { $0?.name == name } }
    }

    /// Whether the source constrains the very properties that the values come from.
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
            // Several columns are a whole composite's.
            return part.columns.count > 1 ? name?.split(separator: ".").first.map(String.init) : name
        }
        return .notUnique(entity: entity.name, properties: properties)
    }
}
