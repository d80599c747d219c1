/// Identifies a state of a store: equal if nothing was written in between.
package struct CommitMarker: Sendable, Hashable {
    /// The number of writes by this process.
    package let ownWrites: Int
    /// Changes when another connection or process writes.
    package let othersVersion: Int64

    package init(ownWrites: Int, othersVersion: Int64) {
        self.ownWrites = ownWrites
        self.othersVersion = othersVersion
    }
}
