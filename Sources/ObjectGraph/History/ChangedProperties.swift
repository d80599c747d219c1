/// Which properties an update changed.
package struct ChangedProperties: Sendable, Hashable {
    /// Ascending. All slots of a composite attribute when any of its leaves changed.
    package let slots: [Int]
    /// Positions in `Entity.relationships` of to-many relationships; ascending.
    package let toMany: [Int]
    /// Whether others may have changed too: the file does not tell, or tells it for another version of the model.
    package let mayMissSome: Bool

    package init(slots: [Int], toMany: [Int], mayMissSome: Bool = false) {
        self.slots = slots
        self.toMany = toMany
        self.mayMissSome = mayMissSome
    }

    /// Nothing is known.
    package static let unknown = ChangedProperties(slots: [], toMany: [], mayMissSome: true)
}
