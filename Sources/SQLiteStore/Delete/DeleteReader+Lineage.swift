import ObjectGraph
import StoreSQL

extension DeleteReader: LineageReading {
    func space(ofEntity index: Int) -> IDSpace { spaces.spaces[index] }

    func links(of place: RelationshipPlace, referencing keys: KeySet) throws -> [RowLink] {
        guard let relationship = model.entity(at: place.entityIndex)?.relationships.element(place.index) else {
            return []
        }
        let storage = map.entities[place.entityIndex]
        if let slot = relationship.slot, let column = storage.columns.element(slot) ?? nil {
            return try links(in: storage.table, owner: SystemTables.keyColumn, member: column.name, keys)
        }
        switch storage.toMany.element(relationship.index) ?? nil {
        case .foreignKey(let table, let column, _, _, _):
            return try links(in: table, owner: column, member: SystemTables.keyColumn, keys)
        case .joinTable(let name, let ownerColumn, let memberColumn, _):
            return try links(in: name, owner: ownerColumn, member: memberColumn, keys)
        case nil: return []
        }
    }

    private func links(in table: String, owner: String, member: String, _ keys: KeySet) throws -> [RowLink] {
        let text = DeleteQueries(SQLiteDialect()).links(of: table, owner: owner, member: member, to: keys)
        return try connection.withStatement(text) { statement in
            var links: [RowLink] = []
            while try statement.step() {
                links.append(RowLink(owner: statement.integer(at: 0), member: statement.integer(at: 1)))
            }
            return links
        }
    }
}
