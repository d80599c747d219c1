import ObjectGraph
import Testing

/// Rows and links by the names in the model. A name that the model lacks is recorded as an issue.
extension ChangeSet {
    /// Adds a row.
    /// - Parameter values: by the names of attributes, of leaves (`size.width`) and of to-one relationships; the others are null.
    /// - Returns: its temporary identifier.
    @discardableResult
    package mutating func insert(
        _ entityName: String, _ values: [String: Value] = [:], in model: Model
    ) -> ObjectID {
        let id = ObjectID.temporary(entityName: entityName)
        guard let entity = model.entity(named: entityName) else {
            Issue.record("no entity \(entityName)")
            return id
        }
        let names = entity.slots.indices.map { entity.propertyName(ofSlot: $0) }
        for name in values.keys where !names.contains(name) {
            Issue.record("no property \(entityName).\(name) with a slot")
        }
        let slots = SlotValues(names.map { values[$0] ?? .null })
        insertions.append(ChangeSet.Insertion(id: id, entityIndex: entity.index, values: slots))
        return id
    }

    /// Adds members to a to-many relationship.
    /// - Parameter order: all members, if they are in another order than they are added in.
    package mutating func link(
        _ owner: ObjectID, _ name: String, to added: [ObjectID], order: [ObjectID]? = nil, in model: Model
    ) {
        guard let entity = model.entity(named: owner.entityName), let relationship = entity.relationship(named: name)
        else {
            Issue.record("no relationship \(owner.entityName).\(name)")
            return
        }
        links.append(
            ChangeSet.LinkChange(
                owner: owner, ownerEntityIndex: entity.index, relationshipIndex: relationship.index, added: added,
                removed: [], order: order))
    }
}
