/// A change of one object by one save.
package struct HistoryChange: Sendable, Hashable {
    /// Increases with every change in a store; never reused.
    package let number: Int64
    package let id: ObjectID
    package let kind: Kind

    package enum Kind: Sendable, Hashable {
        case insert
        case update(ChangedProperties)
        case delete(Tombstone)
    }

    package init(number: Int64, id: ObjectID, kind: Kind) {
        self.number = number
        self.id = id
        self.kind = kind
    }
}
