/// A state of a store that stays readable while the store is written.
package protocol StoreState: RowReading {
    var isOpen: Bool { get }
    /// Releases the state; reading it throws afterwards.
    func close()
}

/// A store that can keep earlier states of itself readable.
package protocol StatePreserving: AnyObject, Sendable {
    func supportsGenerations() throws -> Bool

    /// Returns the current state for later reading; `nil` if the store cannot keep it.
    func currentGeneration() throws -> (any StoreState)?
}
