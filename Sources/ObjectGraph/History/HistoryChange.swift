/// What one save did to one object.
package struct HistoryChange: Sendable, Hashable {
    /// Rises from change to change within a store; never used again.
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
