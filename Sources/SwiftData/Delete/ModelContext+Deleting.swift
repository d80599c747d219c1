import Foundation
import ObjectGraph
import StoreDeletion

extension ModelContext {
    /// Plans the deletion of all models that match a predicate. Nothing is written. The plan is made from the stored rows;
    /// unsaved changes of the context are not considered.
    /// - Parameters:
    ///   - model: The type of the models.
    ///   - predicate: The condition; `nil` for all models of the type.
    ///   - includeSubclasses: Whether models of subclasses are deleted too.
    /// - Returns: The plan, which `DeletionPlan.execute()` carries out.
    /// - Throws: `SwiftDataError.unsupportedPredicate` for a predicate that cannot be evaluated, `unknownSchema` for a
    ///   class outside the schema, `DeletionError.cannotBePlanned` (134060) for a predicate that only memory can evaluate,
    ///   `DeletionError.notSupported` (134091) for a store of the program's own class, or an error of reading the store.
    /// - Complexity: One or two statements for each relationship of each class reached, and each level of a cascade.
    public func deletionPlan<T: PersistentModel>(
        for model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws -> DeletionPlan {
        try deletionPlan(for: FetchDescriptor<T>(predicate: predicate), includeSubclasses: includeSubclasses)
    }

    /// Plans the deletion of the models that a descriptor finds, with its order, offset and limit. Nothing is written. The
    /// plan is made from the stored rows; unsaved changes of the context are not considered.
    /// - Parameters:
    ///   - descriptor: The models to delete.
    ///   - includeSubclasses: Whether models of subclasses are deleted too.
    /// - Returns: The plan, which `DeletionPlan.execute()` carries out.
    /// - Throws: `SwiftDataError.unsupportedPredicate`, `unsupportedSortDescriptor` or `unsupportedKeyPath` for a
    ///   descriptor that cannot be evaluated, `unknownSchema` for a class outside the schema,
    ///   `DeletionError.cannotBePlanned` (134060) for a predicate or an order that only memory can evaluate,
    ///   `DeletionError.notSupported` (134091) for a store of the program's own class, or an error of reading the store.
    /// - Complexity: One or two statements for each relationship of each class reached, and each level of a cascade.
    public func deletionPlan<T: PersistentModel>(
        for descriptor: FetchDescriptor<T>, includeSubclasses: Bool = true
    ) throws -> DeletionPlan {
        guard case .query(let query) = try plan(descriptor, reach: includeSubclasses ? .subclasses : .exactType) else {
            throw DeletionError.cannotBePlanned("its predicate cannot be evaluated by the store.")
        }
        return try deletionPlan(DeleteRequest(.matching(query)))
    }

    /// Plans the deletion of models by identifier, of any classes. Nothing is written. Identifiers of models that are
    /// already deleted, and of models that were never saved, are ignored.
    /// - Parameter identifiers: The models to delete.
    /// - Returns: The plan, which `DeletionPlan.execute()` carries out.
    /// - Throws: `DeletionError.notSupported` (134091) for a store of the program's own class, or an error of reading the
    ///   store.
    /// - Complexity: One or two statements for each relationship of each class reached, and each level of a cascade.
    public func deletionPlan(for identifiers: some Sequence<PersistentIdentifier>) throws -> DeletionPlan {
        try deletionPlan(DeleteRequest(.rows(RowSet(identifiers.map(\.objectID).filter { !$0.isTemporary }))))
    }

    private func deletionPlan(_ request: DeleteRequest) throws -> DeletionPlan {
        var request = request
        request.author = author
        request.counts = .checked
        let core = core
        return try core.mappingErrors {
            let store = try core.store.requireSetDeleting()
            let commitMarker = try store.commitMarker()
            let plan = try store.plan(request)
            request.known = DeleteRequest.KnownPlan(plan, since: commitMarker)
            return DeletionPlan(plan, ContainerDeletion(core: core, request: request))
        }
    }

    /// Marks every model that matches a predicate, and the models that cascades reach, for deletion at the next `save()`,
    /// unless they are more than a limit.
    /// - Parameters:
    ///   - model: The type of the models.
    ///   - predicate: The condition; `nil` for all models of the type.
    ///   - includeSubclasses: Whether models of subclasses are deleted too.
    ///   - limit: The maximum number of deleted models, including those that cascades reach.
    /// - Throws: `DeletionError.tooManyRows` (134070) above the limit; nothing is marked then.
    ///   `SwiftDataError.unsupportedPredicate` for a predicate that cannot be evaluated, `unknownSchema` for a class
    ///   outside the schema, or an error of reading the store.
    /// - Complexity: One or two statements for each relationship of each class reached, and each level of a cascade.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, limit: Int
    ) throws {
        do {
            try delete(matching: predicate, includeSubclasses: includeSubclasses, limit: limit)
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    /// Marks every model that matches a predicate, and the models that cascades reach, for deletion at the next `save()`,
    /// which also archives them. The archive, in the store's file, has the models, their links, and the links that other
    /// models lose; it remains until the deletion is restored or discarded. All that one save archives is restored
    /// together.
    /// - Parameters:
    ///   - model: The type of the models.
    ///   - predicate: The condition; `nil` for all models of the type.
    ///   - includeSubclasses: Whether models of subclasses are deleted too.
    /// - Returns: The token that restores the deletion after the save; `nil` if nothing matches.
    /// - Throws: `DeletionError.cannotBePlanned` (134060) if the set depends on unsaved changes or on a predicate that only
    ///   memory can evaluate; `SwiftDataError.unsupportedPredicate` for a predicate that cannot be evaluated,
    ///   `unknownSchema` for a class outside the schema, or an error of reading the store.
    /// - Complexity: One or two statements for each relationship of each class reached, and each level of a cascade.
    public func deleteAndArchive<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws -> DeletionToken? {
        try deleteAndArchive(
            FetchDescriptor<T>(predicate: predicate), reach: includeSubclasses ? .subclasses : .exactType)
    }

    /// Marks a model, and the models that cascades reach, for deletion at the next `save()`, which also archives them in
    /// the store's file, until the deletion is restored or discarded.
    /// - Parameter model: The model to delete.
    /// - Returns: The token that restores the deletion after the save. `nil` for a model that was never saved, which only
    ///   leaves the context, and for a model of another context, which is not deleted and makes the next `save()` throw.
    /// - Throws: `DeletionError.cannotBePlanned` (134060) if the set depends on unsaved changes, or an error of reading the
    ///   store.
    /// - Complexity: One or two statements for each relationship of each class reached, and each level of a cascade.
    public func deleteAndArchive<T: PersistentModel>(_ model: T) throws -> DeletionToken? {
        guard model.record.graph === graph else {
            graph.refuseDeletion(of: model.record)
            return nil
        }
        guard !model.record.id.isTemporary else {
            delete(model)
            return nil
        }
        var query = Query(entityIndex: model.record.entity.index)
        query.predicate = .isMember(.identity(.variable(.root)), of: [.reference(model.record.id)])
        return try deleteAndArchive(query)
    }

    private func deleteAndArchive<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, reach: FetchReach
    ) throws -> DeletionToken? {
        guard case .query(let query) = try plan(descriptor, reach: reach) else {
            throw DeletionError.cannotBePlanned("its predicate cannot be evaluated by the store.")
        }
        return try deleteAndArchive(query)
    }

    private func deleteAndArchive(_ query: Query) throws -> DeletionToken? {
        do {
            return try graph.deleteRecoverably(matching: query).map(DeletionToken.init)
        } catch let error as UntranslatableExpression {
            throw DeletionError.cannotBePlanned(error.description)
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    func delete<T: PersistentModel>(matching predicate: Predicate<T>?, includeSubclasses: Bool, limit: Int?) throws {
        let descriptor = FetchDescriptor<T>(predicate: predicate)
        let reach: FetchReach = includeSubclasses ? .subclasses : .exactType
        if try deleteInDataStore(descriptor, reach, limit: limit) { return }
        guard case .query(let query) = try plan(descriptor, reach: reach) else {
            return try graph.delete(rows: RowSet(records(descriptor, reach: reach).map(\.id)), atMost: limit)
        }
        do {
            try graph.delete(matching: query, atMost: limit)
        } catch is UntranslatableExpression {
            try graph.delete(rows: RowSet(records(descriptor, reach: reach).map(\.id)), atMost: limit)
        }
    }
}
