/// What the history keeps of a deleted object: values of the attributes that its model wants kept.
package struct Tombstone: Sendable, Hashable {
    /// By attribute name (`composite.leaf` for the leaf of a composite), without those that were nil or cannot be read any
    /// more.
    package let values: [String: Value]

    package init(_ values: [String: Value] = [:]) {
        self.values = values
    }
}
