import ObjectGraph

@testable import MemoryStore
@testable import SQLiteStore

extension MemoryStore {
    /// A store with the current rows of another one, under the same identities. History and archive begin anew.
    static func copy(of store: SQLiteStore) throws -> MemoryStore {
        let copy = try MemoryStore(model: store.model, identifier: store.identifier)
        try copy.transaction { rows in
            let all = try store.model.entities.filter(\.isRoot).flatMap { root in
                try store.fetch(Query(entityIndex: root.index))
            }
            for snapshot in all {
                guard let name = rows.name(of: snapshot.id), let index = rows.spaces.entityIndex(of: snapshot.id) else {
                    continue
                }
                rows[name] = Row(entityIndex: index, version: snapshot.version, values: snapshot.values)
            }
            for entity in store.model.entities {
                let owners = all.map(\.id).filter { $0.entityName == entity.name }
                for relationship in entity.toManyRelationships {
                    let lists = try store.members(
                        of: relationship.index, entityIndex: entity.index, owners: owners)
                    for (owner, members) in lists {
                        guard let owner = rows.name(of: owner) else { continue }
                        let names = members.compactMap(rows.name)
                        rows.write(
                            MemberChange(
                                relationship: relationship, owner: owner, added: names,
                                order: relationship.relationship.isOrdered ? names : nil))
                    }
                }
            }
        }
        return copy
    }
}
