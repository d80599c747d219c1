import ObjectGraph

// Reading and writing relationships. Values are identifiers in the record; objects are found, or made, when asked for.

extension _ModelStorage {
    // MARK: To-one

    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D? {
        guard let graph = record.graph, let relationship = slot.property.relationship(of: record) else {
            return deferred(slot).first?.object as? D
        }
        return graph.destination(of: record, relationship).flatMap { graph.model(of: $0, as: D.self) }
    }

    /// A required destination that is missing (its row was deleted by someone else) is stood in for by an empty model
    /// that no context knows.
    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> D {
        if let destination: D = get(slot) { return destination }
        return D.makeDetached()
    }

    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D?) {
        if let value { deferLink(slot, [value]) } else { forgetLink(slot) }
    }

    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: D) {
        deferLink(slot, [value])
    }

    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: D?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, D?>
    ) {
        link(slot, value.map { [$0] } ?? [], of: model)
    }

    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: D, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, D>
    ) {
        link(slot, [value], of: model)
    }

    // MARK: To-many

    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D] {
        guard let graph = record.graph, let relationship = slot.property.relationship(of: record) else {
            return deferred(slot).compactMap { $0.object as? D }
        }
        return graph.members(of: record, relationship).compactMap { graph.model(of: $0, as: D.self) }
    }

    public func get<D: PersistentModel>(_ slot: _ModelSlot) -> [D]? {
        let members: [D] = get(slot)
        return members
    }

    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]) {
        if value.isEmpty { forgetLink(slot) } else { deferLink(slot, value) }
    }

    public func initialize<D: PersistentModel>(_ slot: _ModelSlot, _ value: [D]?) {
        if let value, !value.isEmpty { deferLink(slot, value) } else { forgetLink(slot) }
    }

    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: [D], of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]>
    ) {
        link(slot, value, of: model)
    }

    public func set<M: PersistentModel, D: PersistentModel>(
        _ slot: _ModelSlot, _ value: [D]?, of model: M, _ keyPath: @autoclosure () -> KeyPath<M, [D]?>
    ) {
        link(slot, value ?? [], of: model)
    }

    // MARK: Linking

    /// The object being initialised is not known yet; its links wait until it is.
    private func deferLink<D: PersistentModel>(_ slot: _ModelSlot, _ destinations: [D]) {
        guard !isMaterialized else { return }
        forgetLink(slot)
        record.deferredLinks.append(
            DeferredLink(
                relationshipIndex: slot.property.relationshipIndex,
                destinations: destinations.map { ($0.record, $0) }))
    }

    private func forgetLink(_ slot: _ModelSlot) {
        if isMaterialized || record.deferredLinks.isEmpty { return }
        record.deferredLinks.removeAll { $0.relationshipIndex == slot.property.relationshipIndex }
    }

    /// Links of an object that no graph knows: those made so far, or none where its context is gone.
    private func deferred(_ slot: _ModelSlot) -> [(record: Record, object: AnyObject)] {
        if !record.id.isTemporary, !record.isGone {
            ModelContext.logger.error(
                """
                '\(record.entity.name).\(slot.property.name)' of \(record.id) reads as empty: the context of the model is \
                gone. Keep a context for as long as its models are used.
                """)
        }
        return record.deferredLinks.first { $0.relationshipIndex == slot.property.relationshipIndex }?.destinations
            ?? []
    }

    private func link<M: PersistentModel, D: PersistentModel>(_ slot: _ModelSlot, _ destinations: [D], of model: M) {
        if !record.isObjectComplete {
            // Its initialiser may still fail, so nobody is to meet the object yet, unless somebody has already.
            if record.graph == nil { return deferLink(slot, destinations) }
            _ = adopted(by: model)
        }
        guard let relationship = slot.property.relationship(of: record) else { return }
        if let graph = record.graph, relationship.isToOne, let destination = destinations.first?.record,
            destination.graph === graph, !record.isDeleted, !destination.isDeleted
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
        return make(for: Record(newObjectOf: entity), ModelType.of(Self.self))
    }

    /// The object of a record.
    static func make(for record: Record, _ type: ModelType) -> Self {
        let model = Materialization.make(type, from: record) {
            Self(backingData: DefaultBackingData<Root>(record: record))
        }
        record.isObjectComplete = true
        if !type.constants.isEmpty { ConstantProperties.write(to: model) }
        return model
    }
}

extension Graph {
    /// The model of a record, if it is of the type.
    func model<M: PersistentModel>(of record: Record, as type: M.Type) -> M? {
        guard let object = object(of: record) else { return nil }
        // Comparing classes is much cheaper than a cast, and mostly enough.
        return Swift.type(of: object) == type ? unsafeDowncast(object, to: type) : object as? M
    }
}
