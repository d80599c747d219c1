/// A state of a store: as long as it is the same, nothing has been written.
package struct StoreMoment: Sendable, Hashable {
    /// Writes of this process.
    package let ownWrites: Int
    /// Changes when somebody else writes.
    package let othersVersion: Int64

    package init(ownWrites: Int, othersVersion: Int64) {
        self.ownWrites = ownWrites
        self.othersVersion = othersVersion
    }
}
