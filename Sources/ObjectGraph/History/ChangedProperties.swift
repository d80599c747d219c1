/// Which properties an update changed.
package struct ChangedProperties: Sendable, Hashable {
    /// Ascending. All slots of a composite attribute when any of its leaves changed.
    package let slots: [Int]
    /// Positions in `Entity.relationships` of to-many relationships; ascending. All that may be meant, where it is not
    /// known which of them changed.
    package let toMany: [Int]
    /// How many of `toMany` changed, where it is not known which; else 0.
    package let ambiguousCount: Int
    /// Whether others may have changed too: the file does not tell, or tells it for another version of the model.
    package let mayMissSome: Bool

    package init(slots: [Int], toMany: [Int], ambiguousCount: Int = 0, mayMissSome: Bool = false) {
        self.slots = slots
        self.toMany = toMany
        self.ambiguousCount = ambiguousCount
        self.mayMissSome = mayMissSome
    }

    /// Nothing is known.
    package static let unknown = ChangedProperties(slots: [], toMany: [], mayMissSome: true)
}

extension Entity {
    /// Names of changed properties, each once: attributes and to-one relationships in slot order, then to-many ones, of which
    /// all that may be meant are named.
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
