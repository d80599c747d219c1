import ObjectGraph
import StoreSQL

/// Reads the links of rows pending deletion, no more than fit into a chunk.
extension DeleteReader {
    /// Returns links from these owners in key order, at most `limit`.
    func links(_ path: LinkPath, from owners: KeySet, atMost limit: Int) throws -> [RowLink] {
        let sql =
            "SELECT \(path.owner), \(path.member) FROM \(path.table) WHERE \(path.owner) IN \(SQLNames.listedValues) "
            + "ORDER BY \(path.owner) LIMIT ?"
        return try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(owners.keys), at: 1)
            try statement.bind(Int64(limit), at: 2)
            var links: [RowLink] = []
            while try statement.step() {
                links.append(RowLink(owner: statement.integer(at: 0), member: statement.integer(at: 1)))
            }
            return links
        }
    }

    /// Returns one of the rows with more links than `limit`; `nil` if there is none.
    func owner(_ path: LinkPath, among owners: KeySet, ofMoreThan limit: Int) throws -> Int64? {
        let sql =
            "SELECT \(path.owner) FROM \(path.table) WHERE \(path.owner) IN \(SQLNames.listedValues) "
            + "GROUP BY \(path.owner) HAVING count(*) > ? LIMIT 1"
        return try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(owners.keys), at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try statement.step() ? statement.integer(at: 0) : nil
        }
    }

    /// Returns a plan that removes members from a row's relationship, on both sides.
    func clearing(_ path: LinkPath, of owner: Int64, _ members: KeySet) throws -> DeletePlan {
        var plan = DeletePlan()
        guard let inverseIndex = path.relationship.inverseIndex else { return plan }
        let rootIndex = model[path.relationship.destinationIndex].rootIndex
        for (entityIndex, keys) in try existing(members, rootIndex: rootIndex).sorted(by: { $0.key < $1.key }) {
            let place = RelationshipPlace(entityIndex: entityIndex, index: inverseIndex)
            plan.cleared.append(clearedLink(place, keys))
        }
        plan.cleared.append(clearedLink(path.place, KeySet([owner])))
        if path.isJoin {
            plan.cut = [RemovedJoinLinks(place: path.place, owner: owner, members: members)]
            plan.removedJoinRows = [RemovedJoinRows(name: name(path.place), count: members.count)]
        }
        return plan
    }

    private func clearedLink(_ place: RelationshipPlace, _ keys: KeySet) -> NullifiedLink {
        let relationship = model[place.entityIndex].relationships[place.index]
        return NullifiedLink(
            space: space(ofEntity: place.entityIndex), relationshipIndex: place.index, slot: relationship.slot,
            name: name(place), kind: relationship.isToOne ? .toOne : .toMany, keys: keys)
    }

    private func name(_ place: RelationshipPlace) -> RelationshipName {
        let entity = model[place.entityIndex]
        return RelationshipName(entity: entity.name, relationship: entity.relationships[place.index].name)
    }
}
