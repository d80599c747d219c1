import ObjectGraph

// Relationships, whose values are identifiers in the record.
//
// Writing is inlined where it is called: there the types are known, while here each call would look up their metadata, which
// costs more than the rest. It hands on models without their types.

extension _BorrowedStorage {
    @inlinable
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D? {
        guard let object = destination(slot) else { return nil }
        // Comparing classes is much cheaper than a cast, and mostly enough.
        return type(of: object) == D.self ? unsafeDowncast(object, to: D.self) : object as? D
    }

    @usableFromInline
    func destination(_ slot: _ModelSlot) -> AnyObject? {
        if let object = reading({ $0.knownDestination(at: slot.first) }) { return object }
        let record = record
        guard let graph = Graph.owner(of: record) else { return deferred(slot).first?.object }
        return graph.destinationObject(of: record, at: slot.first)
    }

    /// A required destination that is missing (its row was deleted by someone else) is stood in for by an empty model
    /// that no context knows.
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D {
        if let destination: D = get(slot) { return destination }
        return D.makeDetached()
    }

    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D] {
        let record = record
        guard let graph = Graph.owner(of: record), let relationship = slot.relationship(of: record) else {
            return deferred(slot).compactMap { $0.object as? D }
        }
        let members = graph.members(of: record, relationship)
        // Objects with constants cannot be made before their rows are read: of all members together, not one by one.
        if graph.options.asksForConstants, !ModelType.of(D.self).constants.isEmpty { graph.fireTogether(members) }
        return members.compactMap { graph.model(of: $0, as: D.self) }
    }

    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D]? {
        let members: [D] = get(slot)
        return members
    }

    /// Links of an object that no graph knows: those made so far, or none where its context is gone.
    private func deferred(_ slot: _ModelSlot) -> [(record: Record, object: AnyObject)] {
        if !record.isGone, let orphans = record.lender as? OrphanedModels {
            orphans.readsEmpty(slot.property.name, of: record.id)
        }
        return record.deferredLinks.first { $0.relationshipIndex == slot.relationshipIndex }?.destinations
            ?? []
    }
}

extension _BorrowedStorage {
    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: D?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, D?>
    ) {
        if let value {
            set(slot, value, of: model)
        } else if !unlinkInitially(slot) {
            link(slot, [], of: model)
        }
    }

    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: D, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, D>
    ) {
        set(slot, value, of: model)
    }

    /// Without making an array where the initialiser still runs.
    @inlinable
    func set<M: PersistentModel>(_ slot: _ModelSlot, _ destination: any PersistentModel, of model: M) {
        if isUnmet { deferLink(slot, destination) } else { link(slot, [destination], of: model) }
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

    /// Whether the object's initialiser still runs, so that its links are to wait.
    @usableFromInline
    var isUnmet: Bool { reading { $0.isUnmet } }

    @usableFromInline
    func deferLink(_ slot: _ModelSlot, _ destinations: [any PersistentModel]) {
        let record = record
        guard !record.isObjectComplete else { return }
        record.deferLink(to: destinations.map { ($0.record, $0) }, slot.relationshipIndex)
    }

    @usableFromInline
    func deferLink(_ slot: _ModelSlot, _ destination: any PersistentModel) {
        let record = record
        guard !record.isObjectComplete else { return }
        record.deferLink(
            DeferredLink(
                relationshipIndex: slot.relationshipIndex, destination: (destination.record, destination)))
    }

    /// - Returns: whether the object's initialiser still runs, so that this was all there is to do.
    @usableFromInline
    func unlinkInitially(_ slot: _ModelSlot) -> Bool {
        reading { $0.forgetLinkIfUnmet(slot.relationshipIndex) }
    }

    @usableFromInline
    func forgetLink(_ slot: _ModelSlot) {
        reading { $0.forgetInitialLink(slot.relationshipIndex) }
    }

    @usableFromInline
    func link<M: PersistentModel>(_ slot: _ModelSlot, _ destinations: [any PersistentModel], of model: M) {
        let record = record
        if record.isUnmet { return destinations.isEmpty ? forgetLink(slot) : deferLink(slot, destinations) }
        if !record.isObjectComplete { adopt(model) }
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
    /// An object outside any context, with placeholder values except for the given slots.
    static func makeDetached(with values: [(slot: Int, value: Value)] = []) -> Self {
        guard let entity = ModelType.of(Self.self).standaloneEntity else {
            // A wrong program, as in `_ModelStorage.init(for:)`.
            fatalError("The schema of '\(Self.self)' cannot be built; make a ModelContainer for it to see why.")
        }
        let record = Record(newObjectOf: entity)
        for (slot, value) in values { record.initializeValue(value, at: slot) }
        return unsafeDowncast(ModelType.of(Self.self).make(for: record), to: Self.self)
    }
}

extension Graph {
    /// The model of a record, if it is of the type.
    func model<M: PersistentModel>(of record: Record, as type: M.Type) -> M? {
        guard let object = object(of: record), !record.isGone, Graph.isModel(object, type) else { return nil }
        return unsafeDowncast(object, to: type)
    }

    static func isModel<M: PersistentModel>(_ object: AnyObject, _ type: M.Type) -> Bool {
        // Comparing classes is much cheaper than a cast, and mostly enough.
        Swift.type(of: object) == type || object is M
    }
}
