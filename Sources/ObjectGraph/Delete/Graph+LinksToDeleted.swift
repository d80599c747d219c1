/// Rows whose keys lead to deleted rows, found by a save: another context linked the two after this graph read them.
extension Graph {
    /// Does about the rows what the delete rules say at the other end of their keys. A row without such a key stays as it is.
    /// - Throws: `ValidationError.deniedDelete`, and what reading the store throws.
    func followRulesBack(from rows: [Snapshot]) throws {
        for row in rows where leadsToDeleted(row) {
            guard let record = register(row) else { continue }
            for relationship in record.entity.toOneRelationships where !record.isDeleted {
                try followRulesBack(along: relationship, of: record)
            }
        }
    }

    private func leadsToDeleted(_ row: Snapshot) -> Bool {
        guard let entity = entity(of: row.id) else { return false }
        return entity.toOneRelationships.contains { relationship in
            guard let slot = relationship.slot, slot < row.values.count, case .reference(let id) = row.values[slot]
            else {
                return false
            }
            return identityMap[id]?.isDeleted == true && effect(backAlong: relationship) != .nothing
        }
    }

    private func followRulesBack(along relationship: EntityRelationship, of record: Record) throws {
        guard let slot = relationship.slot, case .reference(let id) = record.value(slot), let deleted = identityMap[id],
            deleted.isDeleted, let back = inverse(of: relationship, on: deleted)
        else { return }
        switch DeleteRules.effect(of: back) {
        case .nothing: return
        case .clearInverse: withoutUndo { removeHalf(record, relationship, id) }
        case .deleteDestinations: try apply(closure(of: [record]))
        case .refuse:
            throw ValidationError.deniedDelete(
                id, relationship: back.name, blockerCount: 1, blockers: [record.id])
        }
    }
}
