import ObjectGraph

// Initial links of relationships. The object being initialized is not known yet; its links are deferred until it is.
//
// Everything is inlined at the call site, where the types are known: here each call would look up their metadata, which
// costs more than the rest. Models are passed on without their types.

extension _ModelStorage {
    /// Sets the initial model of an optional to-one relationship. For generated code.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The model; `nil` for none.
    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D?) {
        if let value { borrowed.deferLink(slot, value) } else { discardDeferredLink(slot) }
    }

    /// Sets the initial model of a to-one relationship. For generated code.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The model.
    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D) {
        borrowed.deferLink(slot, value)
    }

    /// Sets the initial models of a to-many relationship. For generated code.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The models.
    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]) {
        if value.isEmpty { discardDeferredLink(slot) } else { deferLink(slot, value) }
    }

    /// Sets the initial models of an optional to-many relationship. For generated code.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The models; `nil` for none.
    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]?) {
        initialize(slot, value ?? [])
    }

    /// Separate from the call above, which must be small enough to be inlined.
    @inlinable
    @inline(never)
    func deferLink<D: PersistentModel>(_ slot: _ModelSlot, _ destinations: [D]) {
        borrowed.deferLink(slot, destinations)
    }

    @inlinable
    func discardDeferredLink(_ slot: _ModelSlot) {
        if record.mayHaveDeferredLinks { borrowed.discardLink(slot) }
    }
}
