import ObjectGraph

/// Where the links of one to-many relationship are that go with its owners: keys of survivors, or join rows.
struct LinkPath {
    let place: RelationshipPlace
    let relationship: EntityRelationship
    let table: String
    /// The column of the owners' keys.
    let owner: String
    /// The column of the members' keys.
    let member: String
    let isJoin: Bool

    /// All of one entity's.
    static func all(of entityIndex: Int, _ map: StorageMap) -> [LinkPath] {
        zip(map.model[entityIndex].relationships, map.entities[entityIndex].toMany).compactMap {
            relationship, storage in
            let place = RelationshipPlace(entityIndex: entityIndex, index: relationship.index)
            switch storage {
            // Join rows go whatever the rule.
            case .joinTable(let table, let owner, let member, _):
                return LinkPath(
                    place: place, relationship: relationship, table: table, owner: owner, member: member, isJoin: true)
            case .foreignKey(let table, let column, _, _, _)
            where DeleteRules.effect(of: relationship) == .clearInverse:
                return LinkPath(
                    place: place, relationship: relationship, table: table, owner: column,
                    member: SystemTables.keyColumn, isJoin: false)
            default: return nil
            }
        }
    }

    /// Whether some of an owner's links may go before the owner does, and leave a graph that the rules allow: those at the
    /// other end may do without, whoever else goes, and no cascade leads through these links to the owner.
    func mayGoFirst(_ model: Model, _ counts: DeleteRequest.CountRule) -> Bool {
        guard DeleteRules.effect(of: relationship) == .clearInverse, let inverse = model.inverse(of: relationship),
            inverse.propertyKey != relationship.propertyKey, DeleteRules.effect(of: inverse) != .deleteDestinations
        else { return false }
        let rule = inverse.relationship
        return inverse.isToOne ? rule.isOptional : rule.minimumCount == 0 || counts == .unchecked
    }
}

extension DeleteReader {
    /// The links that lead away from these rows, in the order of their keys, at most so many.
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
}

extension DeleteReader {
    /// One of the rows that has more links than so many; `nil` when none has.
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

    /// What taking these members out of a row's relationship comes to, on both sides.
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
            plan.cut = [CutLinks(place: path.place, owner: owner, members: members)]
            plan.unlinked = [UnlinkedRelationship(name: name(path.place), count: members.count)]
        }
        return plan
    }

    private func clearedLink(_ place: RelationshipPlace, _ keys: KeySet) -> ClearedLink {
        let relationship = model[place.entityIndex].relationships[place.index]
        return ClearedLink(
            space: space(ofEntity: place.entityIndex), relationshipIndex: place.index, slot: relationship.slot,
            name: name(place), kind: relationship.isToOne ? .toOne : .toMany, keys: keys)
    }

    private func name(_ place: RelationshipPlace) -> RelationshipName {
        let entity = model[place.entityIndex]
        return RelationshipName(entity: entity.name, relationship: entity.relationships[place.index].name)
    }
}
