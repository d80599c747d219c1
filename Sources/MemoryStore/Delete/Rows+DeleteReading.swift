import ObjectGraph

/// The reads that planning a deletion requires.
extension Rows: StoreDeleteReading {
    func rows(matching query: Query) throws -> RowSet { set(try names(query)) }

    func existing(_ rows: RowSet) throws -> RowSet { set(rows.ids.compactMap(name)) }

    func destinations(of place: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        let relationship = relationship(place)
        let found = names(owners).map { destinations(of: $0, relationship) }
        let isJoined = !relationship.isToOne && memberReference(relationship) == nil
        return Destinations(rows: set(found.joined()), joinRowCount: isJoined ? found.joined().count : 0)
    }

    func referencingRows(of place: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        let wanted = Set(names(rows))
        return set(referencingRows(of: relationship(place), referringTo: wanted.contains))
    }

    func owners(
        _ owners: SpaceKeys, of place: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) throws -> KeySet {
        let gone = Set(leaving.ids.compactMap(name))
        let left = names(owners).filter { owner in
            let members = destinations(of: owner, relationship(place))
            return !members.isEmpty && refused.contains(members.count { !gone.contains($0) })
        }
        return KeySet(left.map(\.key))
    }

    func names(_ rows: SpaceKeys) -> [RowName] {
        rows.keys.keys.compactMap { name(of: ObjectID(space: rows.space, key: $0)) }
    }
}

extension Rows: DanglingReading {
    func survivors(
        referringBy relationship: EntityRelationship, of entity: Entity, after plan: DeletePlan
    ) throws -> (count: Int, examples: [ObjectID]) {
        let deleted = Set(plan.deleted.ids.compactMap(name))
        let left = referencingRows(of: relationship, referringTo: deleted.contains).filter { !deleted.contains($0) }
        return (left.count, left.prefix(DanglingLinks.exampleCount).compactMap(id))
    }
}
