import ObjectGraph

/// A column of a file. Names compare without case, as in SQLite, and keep their spelling.
package struct ColumnPlace: Sendable, Hashable {
    package let table: String
    package let column: String

    package init(_ table: String, _ column: String) {
        self.table = table
        self.column = column
    }

    package static func == (lhs: ColumnPlace, rhs: ColumnPlace) -> Bool {
        lhs.table.uppercased() == rhs.table.uppercased() && lhs.column.uppercased() == rhs.column.uppercased()
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(table.uppercased())
        hasher.combine(column.uppercased())
    }
}

extension StorageMap {
    /// Every column with keys of other rows, once, with one relationship that it stores: the keys of to-one
    /// relationships, those of to-many relationships without inverse, and both columns of each join table.
    package var keyPlaces: [(end: DeleteRuleWarning.End, place: ColumnPlace)] {
        var known: Set<ColumnPlace> = []
        var columns: [(end: DeleteRuleWarning.End, place: ColumnPlace)] = []
        for entity in model.entities {
            for relationship in entity.relationships where relationship.declaringIndex == entity.index {
                for place in places(of: relationship, in: entity) where known.insert(place).inserted {
                    columns.append((model.end(relationship), place))
                }
            }
        }
        return columns
    }

    private func places(of relationship: EntityRelationship, in entity: Entity) -> [ColumnPlace] {
        let storage = entities[entity.index]
        if let slot = relationship.slot {
            return [storage.columns[slot]].compactMap { $0.map { ColumnPlace(storage.table, $0.name) } }
        }
        switch storage.toMany[relationship.index] {
        case .foreignKey(let table, let column, _, _, ownsColumn: true): return [ColumnPlace(table, column)]
        case .joinTable(let name, let ownerColumn, let memberColumn, _):
            // If a relationship is its own inverse, both columns are searched; otherwise the inverse covers the other one.
            let isReflexive = model.inverse(of: relationship)?.name == relationship.name
            return ([ownerColumn] + (isReflexive ? [memberColumn] : [])).map { ColumnPlace(name, $0) }
        case .foreignKey, nil: return []
        }
    }
}
