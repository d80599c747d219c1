import ObjectGraph

// Initial links of relationships. The object being initialised is not known yet; its links wait until it is.
//
// All is inlined where it is called: there the types are known, while here each call would look up their metadata, which
// costs more than the rest. It hands on models without their types.

extension _ModelStorage {
    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D?) {
        if let value { borrowed.deferLink(slot, value) } else { forgetDeferredLink(slot) }
    }

    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D) {
        borrowed.deferLink(slot, value)
    }

    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]) {
        if value.isEmpty { forgetDeferredLink(slot) } else { deferLink(slot, value) }
    }

    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]?) {
        initialize(slot, value ?? [])
    }

    /// Apart from the call above, which is to stay small enough to be inlined.
    @inlinable
    @inline(never)
    func deferLink<D: PersistentModel>(_ slot: _ModelSlot, _ destinations: [D]) {
        borrowed.deferLink(slot, destinations)
    }

    @inlinable
    func forgetDeferredLink(_ slot: _ModelSlot) {
        if record.mayHaveDeferredLinks { borrowed.forgetLink(slot) }
    }
}
