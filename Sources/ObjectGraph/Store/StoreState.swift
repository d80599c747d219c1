/// A state of a store that goes on being readable, whatever is written meanwhile.
package protocol StoreState: RowReading {
    var isOpen: Bool { get }
    /// Releases the state; reading it throws from then on.
    func close()
}

/// A store that can keep states of itself.
package protocol StateKeeping: AnyObject, Sendable {
    func canKeepGenerations() throws -> Bool

    /// The store as it is now, to be read from then on; `nil` where it cannot be kept.
    func currentGeneration() throws -> (any StoreState)?
}
