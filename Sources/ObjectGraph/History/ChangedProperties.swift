/// The properties that an update changed.
package struct ChangedProperties: Sendable, Hashable {
    /// Ascending. Contains all slots of a composite attribute if any of its leaves changed.
    package let slots: [Int]
    /// Positions in `Entity.relationships` of to-many relationships; ascending. Contains all candidates if it is not
    /// known which of them changed.
    package let toMany: [Int]
    /// The number of changed ones among `toMany`, if it is not known which; otherwise 0.
    package let ambiguousCount: Int
    /// Whether other properties may have changed: the file does not show it, or only for another version of the model.
    package let mayMissSome: Bool

    package init(slots: [Int], toMany: [Int], ambiguousCount: Int = 0, mayMissSome: Bool = false) {
        self.slots = slots
        self.toMany = toMany
        self.ambiguousCount = ambiguousCount
        self.mayMissSome = mayMissSome
    }

    /// Creates the properties of known slots and relationships. All slots of a composite attribute count as changed if one is.
    package init(of entity: Entity, slots: some Sequence<Int>, toMany: [Int]) {
        var all: Set<Int> = []
        for slot in slots where entity.slots.indices.contains(slot) {
            switch entity.slots[slot] {
            case .attribute(let index, _): all.formUnion(entity.attributes[index].slots)
            case .toOne: all.insert(slot)
            }
        }
        self.init(slots: all.sorted(), toMany: toMany.sorted())
    }

    /// No changes are known.
    package static let unknown = ChangedProperties(slots: [], toMany: [], mayMissSome: true)
}

extension Entity {
    /// Returns the names of changed properties, each once: attributes and to-one relationships in slot order, then
    /// to-many ones, including all candidates.
    package func names(of changed: ChangedProperties) -> [String] {
        let bySlot = changed.slots.filter(slots.indices.contains).map { slot in
            switch slots[slot] {
            case .attribute(let index, _): attributes[index].name
            case .toOne(let index): relationships[index].name
            }
        }
        let toMany = changed.toMany.filter(relationships.indices.contains).map { relationships[$0].name }
        var seen: Set<String> = []
        return (bySlot + toMany).filter { seen.insert($0).inserted }
    }
}
