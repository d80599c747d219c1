import ObjectGraph
import StoreSQL

/// The storage of those links of a to-many relationship that are removed with its owners: keys of survivors, or join rows.
struct LinkPath {
    let place: RelationshipPlace
    let relationship: EntityRelationship
    let table: String
    /// The column of the owners' keys.
    let owner: String
    /// The column of the members' keys.
    let member: String
    let isJoin: Bool

    /// Returns the paths of all relationships of one entity.
    static func all(of entityIndex: Int, _ map: StorageMap) -> [LinkPath] {
        zip(map.model[entityIndex].relationships, map.entities[entityIndex].toMany).compactMap {
            relationship, storage in
            let place = RelationshipPlace(entityIndex: entityIndex, index: relationship.index)
            switch storage {
            // Join rows are deleted whatever the rule.
            case .joinTable(let table, let owner, let member, _):
                return LinkPath(
                    place: place, relationship: relationship, table: table, owner: owner, member: member, isJoin: true)
            case .foreignKey(let table, let column, _, _, _)
            where relationship.nullifiesInverse:
                return LinkPath(
                    place: place, relationship: relationship, table: table, owner: column,
                    member: SystemTables.keyColumn, isJoin: false)
            default: return nil
            }
        }
    }
}
