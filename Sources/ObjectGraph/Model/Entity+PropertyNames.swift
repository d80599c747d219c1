extension Entity {
    /// Returns the name of a slot's property for messages: the attribute, `composite.leaf`, or the relationship.
    package func propertyName(ofSlot slot: Int) -> String {
        guard slots.indices.contains(slot) else { return "?" }
        switch slots[slot] {
        case .attribute(let index, let leaf):
            let attribute = attributes[index].attribute
            return attribute.type == .composite ? "\(attribute.name).\(leaf.name)" : attribute.name
        case .toOne(let index):
            return relationships[index].name
        }
    }
}
