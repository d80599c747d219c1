/// Values of a deleted object that the history keeps, of the attributes that the model marks for this.
package struct Tombstone: Sendable, Hashable {
    /// By attribute name (`composite.leaf` for a leaf of a composite), without values that were nil or cannot be read
    /// any more.
    package let values: [String: Value]

    package init(_ values: [String: Value] = [:]) {
        self.values = values
    }

    /// Creates the tombstone of a row.
    package init(of row: SlotValues, _ entity: Entity) {
        var values: [String: Value] = [:]
        for attribute in entity.attributes where attribute.attribute.preservesValueOnDeletion {
            guard let slot = attribute.slots.first, row.indices.contains(slot), !row[slot].isNull else { continue }
            values[entity.propertyName(ofSlot: slot)] = row[slot]
        }
        self.init(values)
    }
}
