/// Values of a deleted object that the history keeps, of the attributes that the model marks for this.
package struct Tombstone: Sendable, Hashable {
    /// By attribute name (`composite.leaf` for a leaf of a composite), without values that were nil or cannot be read
    /// any more.
    package let values: [String: Value]

    package init(_ values: [String: Value] = [:]) {
        self.values = values
    }
}
