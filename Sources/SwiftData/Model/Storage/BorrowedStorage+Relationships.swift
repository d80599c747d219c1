import ObjectGraph

// Relationships, whose values are identifiers in the record.
//
// Writing is inlined at the call site, where the types are known: here each call would look up their metadata, which costs
// more than the rest. Models are passed on without their types.

extension _BorrowedStorage {
    /// Returns the model of an optional to-one relationship. For generated accessors.
    /// - Parameter slot: The relationship.
    @inlinable
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D? {
        guard let object = destination(slot) else { return nil }
        // Comparing classes is much cheaper than a cast, and usually sufficient.
        return type(of: object) == D.self ? unsafeDowncast(object, to: D.self) : object as? D
    }

    @usableFromInline
    func destination(_ slot: _ModelSlot) -> AnyObject? {
        if let object = reading({ $0.knownDestination(at: slot.first) }) { return object }
        let record = record
        guard let graph = Graph.owner(of: record) else { return deferred(slot).first?.object }
        return graph.destinationObject(of: record, at: slot.first)
    }

    /// Returns the model of a to-one relationship that is not optional. For generated accessors. If the model's row was
    /// deleted elsewhere, returns an empty model without a context.
    /// - Parameter slot: The relationship.
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D {
        if let destination: D = get(slot) { return destination }
        return D.makeDetached()
    }

    /// Returns the models of a to-many relationship. For generated accessors.
    /// - Parameter slot: The relationship.
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D] {
        let record = record
        guard let graph = Graph.owner(of: record), let relationship = slot.relationship(of: record) else {
            return deferred(slot).compactMap { $0.object as? D }
        }
        let members = graph.members(of: record, relationship)
        // Objects with constants cannot be created before their rows are read: the rows of all members are read together.
        if graph.options.asksForConstants, !ModelType.of(D.self).constants.isEmpty { graph.fireTogether(members) }
        return members.compactMap { graph.model(of: $0, as: D.self) }
    }

    /// Returns the models of an optional to-many relationship, which is never nil. For generated accessors.
    /// - Parameter slot: The relationship.
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D]? {
        let members: [D] = get(slot)
        return members
    }

    /// The links of an object without a graph: those made so far, or none if its context was released.
    private func deferred(_ slot: _ModelSlot) -> [(record: Record, object: AnyObject)] {
        if !record.isGone, let orphans = record.lender as? any EmptyReadReporting {
            orphans.readsEmpty(slot.property.name, of: record.id)
        }
        return record.deferredLinks.first { $0.relationshipIndex == slot.relationshipIndex }?.destinations
            ?? []
    }
}

extension _BorrowedStorage {
    /// Sets the model of an optional to-one relationship. For generated accessors.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The new model; `nil` for none.
    ///   - model: The owner of the relationship.
    ///   - keyPath: The relationship, for observation.
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

    /// Sets the model of a to-one relationship. For generated accessors.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The new model.
    ///   - model: The owner of the relationship.
    ///   - keyPath: The relationship, for observation.
    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: D, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, D>
    ) {
        set(slot, value, of: model)
    }

    /// Makes no array if the owner's initializer is still running.
    @inlinable
    func set<M: PersistentModel>(_ slot: _ModelSlot, _ destination: any PersistentModel, of model: M) {
        if isInInitializer { deferLink(slot, destination) } else { link(slot, [destination], of: model) }
    }

    /// Sets the models of a to-many relationship. For generated accessors.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The new models.
    ///   - model: The owner of the relationship.
    ///   - keyPath: The relationship, for observation.
    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: [D], of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]>
    ) {
        link(slot, value, of: model)
    }

    /// Sets the models of an optional to-many relationship. For generated accessors.
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - value: The new models; `nil` for none.
    ///   - model: The owner of the relationship.
    ///   - keyPath: The relationship, for observation.
    @inlinable
    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: [D]?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]?>
    ) {
        link(slot, value ?? [], of: model)
    }

    /// Whether the object's initializer is still running, so that its links are deferred.
    @usableFromInline
    var isInInitializer: Bool { reading { $0.isInInitializer } }

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

    /// - Returns: Whether the object's initializer is still running, so that nothing else is to be done.
    @usableFromInline
    func unlinkInitially(_ slot: _ModelSlot) -> Bool {
        reading { $0.discardLinkDuringInitializer(slot.relationshipIndex) }
    }

    @usableFromInline
    func discardLink(_ slot: _ModelSlot) {
        reading { $0.discardInitialLink(slot.relationshipIndex) }
    }

    @usableFromInline
    func link<M: PersistentModel>(_ slot: _ModelSlot, _ destinations: [any PersistentModel], of model: M) {
        let record = record
        if record.isInInitializer { return destinations.isEmpty ? discardLink(slot) : deferLink(slot, destinations) }
        if !record.isObjectComplete { adopt(model) }
        guard let relationship = slot.relationship(of: record) else { return }
        if let graph = Graph.owner(of: record), relationship.isToOne, let destination = destinations.first?.record,
            Graph.owner(of: destination) === graph, !record.isDeleted, !destination.isDeleted
        {
            // The usual case: both models are in this context.
            return graph.setDestination(of: record, relationship, to: destination)
        }
        Graph.link((record, model), relationship, to: destinations.map { ($0.record, $0) })
    }
}

extension PersistentModel {
    /// An object without a context, with placeholder values except in the given slots.
    static func makeDetached(with values: [(slot: Int, value: Value)] = []) -> Self {
        guard let entity = ModelType.of(Self.self).standaloneEntity else {
            // A programming error, as in `_ModelStorage.init(for:)`.
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
        // Comparing classes is much cheaper than a cast, and usually sufficient.
        Swift.type(of: object) == type || object is M
    }
}
