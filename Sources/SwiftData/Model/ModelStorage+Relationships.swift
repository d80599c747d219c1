import ObjectGraph

// Writing relationships. Values are identifiers in the record.
//
// All is inlined where it is called: there the types are known, while here each call would look up their metadata, which
// costs more than the rest. It hands on models without their types.

extension _ModelStorage {
    // MARK: To-one

    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D?) {
        if let value { deferLink(slot, value) } else { forgetLink(slot) }
    }

    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D) {
        deferLink(slot, value)
    }

    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: D?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, D?>
    ) {
        if let value { link(slot, value, of: model) } else { unlink(slot, of: model) }
    }

    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: D, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, D>
    ) {
        link(slot, value, of: model)
    }

    // MARK: To-many

    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]) {
        if value.isEmpty { forgetLink(slot) } else { deferLink(slot, value) }
    }

    @inlinable
    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]?) {
        if let value, !value.isEmpty { deferLink(slot, value) } else { forgetLink(slot) }
    }

    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: [D], of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]>
    ) {
        link(slot, value, of: model)
    }

    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: [D]?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]?>
    ) {
        link(slot, value ?? [], of: model)
    }

    // MARK: Linking

    /// The object being initialised is not known yet; its links wait until it is.
    @usableFromInline
    func deferLink(_ slot: _ModelSlot, _ destinations: [any PersistentModel]) {
        guard !isMaterialized else { return }
        record.deferLink(to: destinations.map { ($0.record, $0) }, slot.relationshipIndex)
    }

    @usableFromInline
    func deferLink(_ slot: _ModelSlot, _ destination: any PersistentModel) {
        guard !isMaterialized else { return }
        record.deferLink(
            DeferredLink(
                relationshipIndex: slot.relationshipIndex, destination: (destination.record, destination)))
    }

    @usableFromInline
    func forgetLink(_ slot: _ModelSlot) {
        record.forgetInitialLink(slot.relationshipIndex)
    }

    /// As the one below with one destination, without making an array where the initialiser still runs.
    @usableFromInline
    func link<M: PersistentModel>(_ slot: _ModelSlot, _ destination: any PersistentModel, of model: M) {
        if record.isUnmet { deferLink(slot, destination) } else { link(slot, [destination], of: model) }
    }

    /// The same with none.
    @usableFromInline
    func unlink<M: PersistentModel>(_ slot: _ModelSlot, of model: M) {
        if record.isUnmet { forgetLink(slot) } else { link(slot, [], of: model) }
    }

    @usableFromInline
    func link<M: PersistentModel>(_ slot: _ModelSlot, _ destinations: [any PersistentModel], of model: M) {
        if record.isUnmet { return destinations.isEmpty ? forgetLink(slot) : deferLink(slot, destinations) }
        if !record.isObjectComplete { borrowed.adopt(model) }
        guard let relationship = slot.relationship(of: record) else { return }
        if let graph = Graph.owner(of: record), relationship.isToOne, let destination = destinations.first?.record,
            Graph.owner(of: destination) === graph, !record.isDeleted, !destination.isDeleted
        {
            // The common case: both are where they belong.
            return graph.setDestination(of: record, relationship, to: destination)
        }
        Graph.link((record, model), relationship, to: destinations.map { ($0.record, $0) })
    }
}

extension PersistentModel {
    /// An object that no context knows, with placeholder values.
    static func makeDetached() -> Self {
        guard let entity = ModelType.of(Self.self).standaloneEntity else {
            // A wrong program, as in `_ModelStorage.init(for:)`.
            fatalError("The schema of '\(Self.self)' cannot be built; make a ModelContainer for it to see why.")
        }
        return unsafeDowncast(ModelType.of(Self.self).make(for: Record(newObjectOf: entity)), to: Self.self)
    }
}
